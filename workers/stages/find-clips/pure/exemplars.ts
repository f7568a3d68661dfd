/**
 * PURE. Hooks, value and emotion by meaning: sentences that are like exemplars of each, more than like plain ones. Works in
 * every language that the installed model of meaning knows, where lists of words know one.
 */
import type { Judged, Point } from './judge-sentence.ts'
import { shorten } from './text-tools.ts'

const LIKENESS_KINDS = ['hook', 'value', 'emotion'] as const
type LikenessKind = (typeof LIKENESS_KINDS)[number]

/** How much each sentence is like the exemplars of a kind, 0 to 1. */
export type Likeness = Readonly<Record<LikenessKind, number>>

const EXEMPLARS: Readonly<Record<LikenessKind | 'plain', readonly string[]>> = {
  hook: [
    'What would you do if you lost everything tomorrow?',
    'Nobody tells you this about success.',
    'I made the worst mistake of my life.',
    'I am going to tell you something that I have never told anybody.',
    'Most people believe this, and it is not true.',
    'It was three in the morning when the phone rang.',
    '¿Qué harías si mañana lo perdieras todo?',
    'Cometí el peor error de mi vida.',
    'Casi todo el mundo lo cree, y no es verdad.',
    'Was würdest du tun, wenn du morgen alles verlierst?',
    'Ich habe den schlimmsten Fehler meines Lebens gemacht.',
    'Die meisten glauben das, und es stimmt nicht.',
    'Que feriez-vous si vous perdiez tout demain ?',
    'J’ai fait la pire erreur de ma vie.',
    'La plupart des gens y croient, et c’est faux.',
  ],
  value: [
    'The first rule is to write everything down.',
    'Always check the contract before you sign it.',
    'The reason why it works is simple.',
    'Three out of four companies fail in the first five years.',
    'Here is how you do it, step by step.',
    'What I learned is that patience pays off.',
    'La primera regla es apuntarlo todo.',
    'Revisa siempre el contrato antes de firmarlo.',
    'Así se hace, paso a paso.',
    'Die erste Regel ist, alles aufzuschreiben.',
    'Prüfe immer den Vertrag, bevor du ihn unterschreibst.',
    'So macht man das, Schritt für Schritt.',
    'La première règle est de tout noter.',
    'Vérifiez toujours le contrat avant de signer.',
    'Voici comment faire, étape par étape.',
  ],
  emotion: [
    'I started to cry and could not stop.',
    'We laughed until our stomachs hurt.',
    'I was terrified.',
    'She died that winter, and I never said goodbye.',
    'I have never been so proud in my life.',
    'He was furious with me, and I felt so ashamed.',
    'Me puse a llorar y no podía parar.',
    'Nunca he estado tan orgulloso en mi vida.',
    'Tenía muchísimo miedo.',
    'Ich fing an zu weinen und konnte nicht aufhören.',
    'Ich war noch nie so stolz in meinem Leben.',
    'Ich hatte furchtbare Angst.',
    'Je me suis mis à pleurer sans pouvoir m’arrêter.',
    'Je n’ai jamais été aussi fier de ma vie.',
    'J’avais terriblement peur.',
  ],
  plain: [
    'We will talk about that later.',
    'It was on a Tuesday, I think.',
    'There are two rooms on the left.',
    'So that is what we did then.',
    'He works in the office next door.',
    'Let me look at my notes.',
    'De eso hablaremos luego.',
    'Trabaja en la oficina de al lado.',
    'Fue un martes, creo.',
    'Darüber reden wir später.',
    'Er arbeitet im Büro nebenan.',
    'Das war an einem Dienstag, glaube ich.',
    'On en parlera plus tard.',
    'Il travaille dans le bureau d’à côté.',
    'C’était un mardi, je crois.',
  ],
}

const KINDS = [...LIKENESS_KINDS, 'plain'] as const
/** The texts whose vectors `measureLikeness` needs, in this order. */
export const EXEMPLAR_TEXTS: readonly string[] = KINDS.flatMap((kind) => EXEMPLARS[kind])
const KIND_OF_TEXT = KINDS.flatMap((kind) => EXEMPLARS[kind].map(() => kind))

const NEAREST = 3
/**
 * By how much more a sentence is like the nearest exemplars of a kind than like plain ones (cosine) before it counts, and from
 * where on in full. In English talks one sentence of eight exceeds the first, one of a hundred the second.
 */
const COUNTS_FROM = 0.06
const COUNTS_IN_FULL = 0.2

/** `exemplars`: the vectors of EXEMPLAR_TEXTS; all vectors of length 1. */
export function measureLikeness(
  sentences: readonly Float32Array[],
  exemplars: readonly Float32Array[],
): Likeness[] {
  const nearnessTo = (kind: LikenessKind | 'plain'): number[] => {
    const some = exemplars.filter((_, index) => KIND_OF_TEXT[index] === kind)
    return sentences.map((sentence) => meanOfNearest(sentence, some))
  }
  const plain = nearnessTo('plain')
  const [hook, value, emotion] = LIKENESS_KINDS.map((kind) =>
    nearnessTo(kind).map((near, index) => shareOf(near - (plain[index] ?? 0))),
  )
  return sentences.map((_, index) => ({
    hook: hook?.[index] ?? 0,
    value: value?.[index] ?? 0,
    emotion: emotion?.[index] ?? 0,
  }))
}

const shareOf = (margin: number): number =>
  Math.min(1, Math.max(0, (margin - COUNTS_FROM) / (COUNTS_IN_FULL - COUNTS_FROM)))

function meanOfNearest(vector: Float32Array, exemplars: readonly Float32Array[]): number {
  const best = exemplars
    .map((exemplar) => vector.reduce((sum, value, index) => sum + value * (exemplar[index] ?? 0), 0))
    .sort((a, b) => b - a)
    .slice(0, NEAREST)
  return best.reduce((sum, value) => sum + value, 0) / Math.max(1, best.length)
}

/** Of a sentence that counts in full. */
const MOST_POINTS = 14
const REASONS: Readonly<Record<LikenessKind, string>> = {
  hook: 'Opens like a line that makes people listen',
  value: 'Gives a rule, a reason or a way to do something',
  emotion: 'Is moving',
}

/** A sentence with the points for what it is like. */
export function addLikeness(judged: Judged, likeness: Likeness, text: string): Judged {
  const pointsFor = (kind: LikenessKind): readonly Point[] => {
    const points = Math.round(MOST_POINTS * likeness[kind])
    const reason = `${REASONS[kind]}: "${shorten(text, 70)}"`
    return points > 0 && !judged.logistics ? [...judged[kind], { points, reason }] : judged[kind]
  }
  return { ...judged, hook: pointsFor('hook'), value: pointsFor('value'), emotion: pointsFor('emotion') }
}
