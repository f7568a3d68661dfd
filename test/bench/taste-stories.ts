/**
 * Stories in long talks: whether the clips that are chosen hold whole ones. The talks of test/bench/talks were written,
 * with their stories, before the finder that is measured; its weights
 * were learned from the tuned half, and the held-out half was used for nothing but these tables.
 */
import type { ClipCandidate } from '../../server/contract/clip-candidate.ts'
import type { FigureTable } from './report.ts'
import { longTable } from './taste-long.ts'
import type { PlantedStory, WrittenTalk } from './talks/read-talk.ts'
import {
  chooseFrom,
  HALVES,
  isAbout,
  namePart,
  readPart,
  readInterrupted,
  understand,
  type Embed,
} from './written-talks.ts'

const TOP = 5
/** Seconds by which an edge may be off. */
const NEAR = 0.35

/**
 * Beginnings that hang in the air, for judging alone: the finder has its own, longer lists. A clip that begins where its
 * story begins does not hang.
 */
const DANGLING: Readonly<Record<string, RegExp>> = {
  en: /^(and|but|because|or|which|he|she|they|it|him|her|them|that|those)\b/i,
  es: /^(y|pero|porque|o|que|él|ella|ellos|ellas|eso|esa|ese)(?!\p{L})/iu,
  de: /^(und|aber|weil|denn|oder|er|sie|es|das|die|der|dem)(?!\p{L})/iu,
  fr: /^(et|mais|parce|ou|qui|il|elle|ils|elles|ça|ce|cela)(?!\p{L})/iu,
}

interface Reading {
  readonly talk: WrittenTalk
  readonly clips: readonly ClipCandidate[]
}

interface Counts {
  whole: number
  top: number
  docked: number
  beheaded: number
  dangling: number
  clips: number
  found: number
  stories: number
  seconds: number
  /** Of the top five. */
  scores: readonly number[]
}

export async function storyTables(embed: Embed | null): Promise<FigureTable[]> {
  const rows: string[][] = []
  for (const half of HALVES) {
    const all: Counts[] = []
    for (const { name, talk } of readPart(half)) {
      const { candidates } = chooseFrom(talk, '', await understand(talk, '', embed))
      const counts = countClips({ talk, clips: candidates })
      all.push(counts)
      rows.push([`${name} (${half})`, ...cellsOf(counts)])
    }
    const total = all.reduce((sum, one) => addCounts(sum, one))
    rows.push([`**${namePart(half)}, all**`, ...cellsOf(total)])
  }
  return [
    {
      title: 'Stories in long talks',
      columns: [
        'talk',
        'whole in the top five',
        'stories in ten clips',
        'docked',
        'beheaded',
        'dangling begins',
        'length, s',
        'scores of the top five',
      ],
      rows,
      notes: [
        'Twelve talks of 30 to 36 minutes with eight planted stories each, in four languages; clips of 15 to 90 s. Whole: from the opening to the pay-off, both inside. Docked and beheaded: a clip of ten that holds 40 % of a story without its pay-off, or without its opening. About one story of five is interrupted, and longer than the 90 s of a clip. The weights were learned from the tuned half.',
      ],
    },
    interruptionTable(),
    await longTable(),
  ]
}

/** Seconds by which an edge of what is left out may be off. */
const NEAR_EDGE = 6

/** What clips leave out inside, held against the interruptions that are known. Chosen by words alone. */
function interruptionTable(): FigureTable {
  const rows = HALVES.flatMap((half) => [
    [`long talks, ${namePart(half)}`, ...countLeftOut(readPart(half).map(({ talk }) => talk))],
    [`short talks, ${namePart(half)}`, ...countLeftOut(readInterrupted(half).map(({ talk }) => talk))],
  ])
  return {
    title: 'Stories in two parts',
    columns: [
      'talks',
      'told in two parts',
      'of them whole in a clip',
      'interruption left out',
      'with other edges',
      'cut into a story that goes on',
      'left out elsewhere',
    ],
    rows,
    notes: [
      `The twelve long talks and 22 short ones of six to nine minutes, with an interruption in two of three stories: somebody is at the door, the news is read, a question is answered late. Left out: from within ${NEAR_EDGE} s of its start to within ${NEAR_EDGE} s of its end. What tells interruptions was learned from the tuned halves (\`npm run train:interruptions\`).`,
    ],
  }
}

function countLeftOut(talks: readonly WrittenTalk[]): string[] {
  const counts = { two: 0, whole: 0, right: 0, other: 0, harm: 0, elsewhere: 0 }
  for (const talk of talks) {
    const clips = chooseFrom(talk, '', null).candidates
    const inTwo = talk.stories.filter(({ interruptions }) => interruptions.length > 0)
    const known = inTwo.flatMap(({ interruptions }) => interruptions)
    counts.two += inTwo.length
    counts.whole += inTwo.filter((story) => clips.some((clip) => isWhole(clip, story))).length
    for (const { start, end } of clips.flatMap(({ leftOut = [] }) => leftOut)) {
      const near = known.find(
        (one) => Math.min(end, one.end) - Math.max(start, one.start) > 0.3 * (end - start),
      )
      if (near !== undefined) {
        const isRight = Math.abs(near.start - start) < NEAR_EDGE && Math.abs(near.end - end) < NEAR_EDGE
        counts[isRight ? 'right' : 'other'] += 1
      } else {
        const harms = talk.stories.some(
          ({ openingStart, payoffEnd }) => start > openingStart && end < payoffEnd,
        )
        counts[harms ? 'harm' : 'elsewhere'] += 1
      }
    }
  }
  return Object.values(counts).map(String)
}

const isWhole = (clip: ClipCandidate, { openingStart, payoffEnd }: PlantedStory): boolean =>
  clip.start <= openingStart + NEAR && clip.end >= payoffEnd - NEAR

function countClips({ talk, clips }: Reading): Counts {
  const whole = clips.map((clip) => talk.stories.some((story) => isWhole(clip, story)))
  const cut = (isCut: (clip: ClipCandidate, story: PlantedStory) => boolean): number =>
    clips.filter((clip, index) => {
      const story = talk.stories.find((one) => isAbout(clip, one))
      return story !== undefined && whole[index] !== true && isCut(clip, story)
    }).length
  const dangling = DANGLING[talk.language.slice(0, 2)] ?? /^$/
  return {
    whole: whole.slice(0, TOP).filter(Boolean).length,
    top: Math.min(TOP, clips.length),
    docked: cut((clip, { payoffEnd }) => clip.end < payoffEnd - NEAR),
    beheaded: cut((clip, { openingStart }) => clip.start > openingStart + NEAR),
    dangling: clips.filter(
      ({ text, start }) =>
        dangling.test(text) &&
        !talk.stories.some(({ openingStart }) => Math.abs(start - openingStart) < NEAR),
    ).length,
    clips: clips.length,
    found: talk.stories.filter((story) => clips.some((clip) => isWhole(clip, story))).length,
    stories: talk.stories.length,
    seconds: clips.reduce((sum, { start, end }) => sum + end - start, 0),
    scores: clips.slice(0, TOP).map(({ score }) => score),
  }
}

const addCounts = (a: Counts, b: Counts): Counts => ({
  whole: a.whole + b.whole,
  top: a.top + b.top,
  docked: a.docked + b.docked,
  beheaded: a.beheaded + b.beheaded,
  dangling: a.dangling + b.dangling,
  clips: a.clips + b.clips,
  found: a.found + b.found,
  stories: a.stories + b.stories,
  seconds: a.seconds + b.seconds,
  scores: [...a.scores, ...b.scores],
})

function cellsOf(counts: Counts): string[] {
  const { whole, top, docked, beheaded, dangling, clips, found, stories, seconds, scores } = counts
  return [
    `${whole} of ${top}`,
    `${found} of ${stories}`,
    `${docked} of ${clips}`,
    `${beheaded} of ${clips}`,
    `${dangling} of ${clips}`,
    (seconds / Math.max(1, clips)).toFixed(0),
    `${Math.min(...scores).toFixed(0)} to ${Math.max(...scores).toFixed(0)}`,
  ]
}
