/**
 * Who of two real people speaks, as `cutroom inspect --what faces,speakers` finds it, against the sound that the videos were
 * mixed with. Thresholds were set with three of the people; the other half has at least one of the other two in it.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClipFaces, FaceBoxes, RangeSpeakers } from '../../server/contract/clip-measurements.ts'
import { presentSpeaking } from '../../server/domain/inspection/present-inspection.ts'
import { runActiveSpeaker } from '../../workers/stages/active-speaker/stage.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runFaces } from '../../workers/stages/faces/stage.ts'
import { runSpeakers } from '../../workers/stages/speakers/stage.ts'
import { runVoice } from '../../workers/stages/voice/stage.ts'
import { makeTakes, takesSeconds, type SpokenTake, type Take } from '../support/grid-people.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { MEDIA, modelFolders, timed } from './media.ts'
import { percent } from './measure/spread.ts'
import type { FigureTable } from './report.ts'

type Handler = Parameters<typeof runStageForTest>[0]

const TUNED = ['bbaf2n', 'brbk7n', 'lbax4n'] as const
const HELD_OUT = ['lbbc2a', 'sbia1a'] as const
const PEOPLE: readonly string[] = [...TUNED, ...HELD_OUT]

interface Case {
  readonly kind: string
  readonly target: string
  /** Clips of the people in the picture and, after them, of who else is used. */
  readonly clips: readonly string[]
  readonly takes: readonly Take[]
}

/** Every ordered pair of people. */
const PAIRS = PEOPLE.flatMap((one) =>
  PEOPLE.filter((other) => other !== one).map((other) => [one, other] as const),
)

/** Turns one after the other, each at another pace; while one speaks, the other's lips are within their sentence, too. */
function converse(one: string, other: string): Take[] {
  const paces = [
    { from: 0, tempo: 1 },
    { from: 0.25, tempo: 0.94 },
    { from: 2.7, tempo: 1.06 },
    { from: 0.45, tempo: 1.1 },
  ]
  return paces.flatMap(({ from, tempo }) => [
    { people: [{ clip: one }, { clip: other, from }], sound: 0, tempo },
    { people: [{ clip: one, from }, { clip: other }], sound: 1, tempo },
  ])
}

const nextOf = (clip: string, by: number): string =>
  PEOPLE[(PEOPLE.indexOf(clip) + by) % PEOPLE.length] ?? clip

function listCases(): Case[] {
  const single = (kind: string, target: string, clips: readonly string[], take: Take): Case => ({
    kind,
    target,
    clips,
    takes: [take],
  })
  const moving = PAIRS.map(([a, b]) =>
    single('the listener’s lips move to another sentence, 3 s', '≥ 75 %', [a, b], {
      people: [{ clip: a }, { clip: b }],
      sound: 0,
    }),
  )
  const still = PEOPLE.flatMap((a) =>
    [nextOf(a, 1), nextOf(a, 3)].map((b) =>
      single('the listener is still', '≥ 97 %', [a, b], {
        people: [{ clip: a }, { clip: b, still: true }],
        sound: 0,
      }),
    ),
  )
  const talks = [
    [0, 1],
    [2, 0],
    [3, 4],
    [0, 3],
    [4, 1],
  ].map(([a = 0, b = 0]): Case => {
    const clips = [PEOPLE[a] ?? '', PEOPLE[b] ?? '']
    const takes = converse(clips[0] ?? '', clips[1] ?? '')
    return { kind: 'conversation of eight turns, the listener’s lips move', target: '≥ 92 %', clips, takes }
  })
  const nobody = PEOPLE.map((a) =>
    single('lips move, nobody speaks', '≥ 95 % nobody', [a, nextOf(a, 1)], {
      people: [{ clip: a }, { clip: nextOf(a, 1) }],
      sound: null,
    }),
  )
  const absent = ([true, false] as const).flatMap((still) =>
    PEOPLE.map((a) => {
      const clips = [a, nextOf(a, 1), nextOf(a, 2)]
      const people = clips.slice(0, 2).map((clip) => (still ? { clip, still } : { clip }))
      const kind = `the speaker is not in the picture, lips ${still ? 'are still' : 'move'}`
      return single(kind, still ? '≥ 95 % nobody' : 'none', clips, { people, sound: clips[2] ?? null })
    }),
  )
  return [...moving, ...talks, ...still, ...nobody, ...absent]
}

interface Counts {
  samples: number
  right: number
  other: number
  nobody: number
  confidence: number
  /** The same samples by the motion of mouths alone. */
  mouths: number
  /** Samples away from any voice, and those without a speaker. */
  silent: number
  silentRight: number
}

const noCounts = (): Counts => ({
  samples: 0,
  right: 0,
  other: 0,
  nobody: 0,
  confidence: 0,
  mouths: 0,
  silent: 0,
  silentRight: 0,
})

export async function speakingTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  const rows = new Map<string, Counts & { kind: string; half: string; target: string }>()
  const cost = { faceSeconds: 0, processorSeconds: 0 }
  for (const [place, one] of listCases().entries()) {
    say(`who speaks, ${one.kind}: ${one.clips.join(' and ')}`)
    const half = one.clips.every((clip) => TUNED.some((tuned) => tuned === clip)) ? 'tuned' : 'held out'
    const key = `${one.kind} ${half}`
    const row = rows.get(key) ?? { ...noCounts(), kind: one.kind, half, target: one.target }
    rows.set(key, row)
    const found = await lookAtTakes(one.takes, join(folder, String(place)))
    count(row, found)
    cost.faceSeconds += found.faceSeconds
    cost.processorSeconds += found.processorSeconds
  }
  const silent = [...rows.values()].reduce(
    (sum, row) => ({ all: sum.all + row.silent, right: sum.right + row.silentRight }),
    { all: 0, right: 0 },
  )
  const share = (part: number, row: Counts): string => percent(part / Math.max(1, row.samples))
  return {
    title: 'Who speaks, of two real people',
    columns: [
      'video',
      'people',
      'samples',
      'right',
      'the other',
      'nobody',
      'confidence',
      'mouths alone',
      'target',
    ],
    rows: [...rows.values()].map((row) => [
      row.kind,
      row.half,
      String(row.samples),
      share(row.right, row),
      share(row.other, row),
      share(row.nobody, row),
      (row.confidence / Math.max(1, row.samples)).toFixed(2),
      share(row.mouths, row),
      row.target,
    ]),
    notes: [
      'Five samples a second while the sentence is spoken (all the time where nobody speaks), against the sound that was mixed in. Right is the person whose sound it is, or nobody where that person is not in the picture. Tuned: all of the three people with whom thresholds were set; held out: at least one of the other two is there. What sounds lips are compared with, and that voices are contrasted, was chosen with all five in view, so these halves are not wholly apart; there is one sentence of each person.',
      `Before and after the sentences nobody was chosen in ${percent(silent.right / Math.max(1, silent.all))} of ${silent.all} samples.`,
      `Cost: ${(cost.processorSeconds / Math.max(1, cost.faceSeconds)).toFixed(2)} s of processor time for each second of one face that is looked at, decoding included.`,
    ],
  }
}

interface LookedTalk {
  readonly found: RangeSpeakers
  readonly faces: ClipFaces
  readonly boxes: FaceBoxes
  readonly faceSeconds: number
  readonly processorSeconds: number
}

interface Looked extends LookedTalk {
  readonly truth: readonly SpokenTake[]
}

async function lookAtTakes(takes: readonly Take[], folder: string): Promise<Looked> {
  await mkdir(folder, { recursive: true })
  const source = join(folder, 'video.mp4')
  const truth = await makeTakes(MEDIA, source, takes)
  const size = { width: 720, height: 288 }
  return { truth, ...(await lookAtTalk(source, takesSeconds(takes), size, folder)) }
}

/** Runs all stages that find who speaks; leaves files in `folder`. */
export async function lookAtTalk(
  source: string,
  seconds: number,
  size: { readonly width: number; readonly height: number },
  folder: string,
): Promise<LookedTalk> {
  const made: Record<string, { folder: string; output: unknown }> = {}
  const run = async (name: string, handler: unknown, params: object, inputs: readonly string[]) => {
    const given = inputs.map((input) => [input, made[input]] as const)
    made[name] = await runStageForTest(handler as Handler, params as never, {
      inputs: { source, ...Object.fromEntries(given.map(([input, one]) => [input, one?.folder ?? ''])) },
      results: Object.fromEntries(given.map(([input, one]) => [input, one?.output])),
      modelFolders: modelFolders(),
      root: join(folder, name),
    })
    return made[name]
  }
  const picture = { streamIndex: 0, ...size, hdr: false }
  await run('audio', runAudio, { streamIndex: 1, durationSeconds: seconds }, [])
  const faces = await run('faces', runFaces, { ranges: [{ start: 0, end: seconds }], ...picture }, ['audio'])
  await run('voice', runVoice, {}, ['audio'])
  await run('speakers', runSpeakers, { count: 0 }, ['audio'])
  const { result, speed } = await timed(1, () =>
    run('active-speaker', runActiveSpeaker, picture, ['audio', 'faces', 'voice', 'speakers']),
  )
  const read = async (from: { folder: string }, file: string): Promise<unknown> =>
    ((await JSON.parse(await readFile(join(from.folder, file), 'utf8'))) as unknown[])[0]
  return {
    found: (await read(result, 'active-speaker.json')) as RangeSpeakers,
    faces: (await read(faces, 'faces.json')) as ClipFaces,
    boxes: (await read(faces, 'boxes.json')) as FaceBoxes,
    faceSeconds: (result.output as { faceSeconds: number }).faceSeconds,
    processorSeconds: 1 / speed,
  }
}

/** Samples this near to a sentence, in seconds, are neither of it nor of silence. */
const EDGE_SECONDS = 0.3

function count(row: Counts, { truth, found, faces, boxes }: Looked): void {
  const mouths = presentSpeaking(faces)
  const personOf = (id: number | null): number | null => {
    const own = boxes.tracks.find((track) => track.id === id)?.boxes ?? []
    if (own.length === 0) return null
    return own.reduce((sum, { x, width }) => sum + x + width / 2, 0) / own.length < 0.5 ? 0 : 1
  }
  found.samples.forEach(({ time, track, confidence }, place) => {
    const take = truth.find(({ start, end }) => time >= start && time < end)
    const person = personOf(track)
    if (take === undefined) {
      const isSilent = truth.every(
        ({ start, end }) => time < start - EDGE_SECONDS || time >= end + EDGE_SECONDS,
      )
      if (isSilent) row.silent += 1
      if (isSilent && person === null) row.silentRight += 1
      return
    }
    row.samples += 1
    row.confidence += confidence
    if (person === take.who) row.right += 1
    if (person === null) row.nobody += 1
    else if (person !== take.who) row.other += 1
    if (personOf(mouths[place]?.track ?? null) === take.who) row.mouths += 1
  })
}
