import { expect, it } from 'vitest'
import { addLikeness, EXEMPLAR_TEXTS, measureLikeness } from './exemplars.ts'
import { judgeSentence } from './judge-sentence.ts'

const sentence = (text: string) => ({
  text,
  first: 0,
  last: 0,
  start: 0,
  end: 3,
  before: 0,
  after: 0,
  edgeStart: true,
  edgeEnd: true,
  speaker: 0,
})
const HOOK = Float32Array.of(1, 0, 0)
const MOVING = Float32Array.of(0, 1, 0)
const PLAIN = Float32Array.of(0, 0, 1)
/** Exemplars of one kind that lie on the second axis; all others are plain. */
const exemplars = EXEMPLAR_TEXTS.map((text) =>
  /cry|llorar|weinen|pleurer|proud/.test(text) ? MOVING : PLAIN,
)

it('is how much more a sentence is like the exemplars of a kind than like plain ones', () => {
  const [moving, plain, other] = measureLikeness([MOVING, PLAIN, HOOK], exemplars)
  expect(moving?.emotion).toBe(1)
  expect([plain, other]).toEqual([
    { hook: 0, value: 0, emotion: 0 },
    { hook: 0, value: 0, emotion: 0 },
  ])
})

it('adds a point with its reason to what the words give, and none to housekeeping', () => {
  const judged = judgeSentence(sentence('Ella lloraba en la cocina.'))
  const moved = addLikeness(judged, { hook: 0, value: 0, emotion: 0.5 }, 'Ella lloraba en la cocina.')
  expect(moved.emotion).toEqual([
    ...judged.emotion,
    { points: 7, reason: 'Is moving: "Ella lloraba en la cocina."' },
  ])
  expect([moved.hook, moved.value]).toEqual([judged.hook, judged.value])
  const housekeeping = judgeSentence(sentence('Subscribe to our newsletter and leave a review.'))
  expect(addLikeness(housekeeping, { hook: 1, value: 1, emotion: 1 }, '').emotion).toEqual(
    housekeeping.emotion,
  )
})

it('takes no German word for an English hesitation', () => {
  const text = 'Er ging hinaus, um den Mond zu sehen.'
  expect(judgeSentence(sentence(text), 'de').fillers).toBe(0)
  expect(judgeSentence(sentence(text)).fillers).toBe(2)
})
