/**
 * Picture detection measured on pictures and videos with known contents: faces, and how a vertical clip follows them:
 * `npm run bench -- eyes`.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseModel } from '../../models/installed.ts'
import { makeTalkingFaces, type Turn } from '../support/talking-faces.ts'
import { bannersTable } from './picture-banners.ts'
import { facesTable } from './picture-faces.ts'
import { filmTable, swayTable } from './picture-film.ts'
import { framed, holdAgainst, lookAt, type Framed, type Video } from './picture-framing.ts'
import { screensTable } from './picture-screens.ts'
import { speakingTable } from './picture-speaking.ts'
import { splitsTable } from './picture-splits.ts'
import { hasMedia, MEDIA, media, modelFolders, NO_MEDIA, times } from './media.ts'
import { percent } from './measure/spread.ts'
import { qualityBench, type FigureTable, type QualityBench } from './report.ts'

/** Two people who talk in turns of different lengths, some of them short. */
const TURNS: readonly Turn[] = [
  [0, 0.5, 4],
  [1, 4.3, 7.5],
  [0, 7.8, 9.8],
  [1, 10.2, 15],
  [0, 15.2, 17],
  [1, 17.2, 20],
  [0, 20.4, 24.5],
].map(turnOf)

/** Turns hardly longer than the camera may look at one, and turns without a pause between them. */
const SHORT_TURNS: readonly Turn[] = [
  [0, 0.3, 1.9],
  [1, 2, 3.4],
  [0, 3.6, 5],
  [1, 5.2, 7],
  [0, 7.1, 8.4],
  [1, 8.6, 11],
  [0, 11.2, 12.8],
].map(turnOf)
const UNBROKEN_TURNS: readonly Turn[] = [
  [1, 0.5, 3.2],
  [0, 3.2, 6.4],
  [1, 6.4, 8.6],
  [0, 8.6, 12],
  [1, 12, 14.3],
].map(turnOf)

function turnOf([who = 0, start = 0, end = 0]: readonly number[]): Turn {
  return { who: who === 0 ? 0 : 1, start, end }
}

/** The right one of the picture speaks first, see the recording's JSON file. */
const DRIFTING_TURNS = [0, 1, 2, 3, 4, 5].map((at) => ({
  who: at % 2 === 0 ? 1 : 0,
  start: 4.3 * at,
  end: 4.3 * at + 4,
}))

const hasFilm = existsSync(media('people'))

/** About six minutes. */
export async function runPictureBench({
  say = () => undefined,
}: { readonly say?: (line: string) => void } = {}): Promise<QualityBench> {
  const title = 'Eyes'
  const skip = (why: string): QualityBench => {
    say(`not measured: ${why}`)
    return qualityBench('eyes', { title, tables: [], unmeasured: [why] })
  }
  if (!hasMedia) return skip(`all of it, because ${NO_MEDIA}.`)
  if ((await chooseModel(modelFolders(), 'faces')) === null)
    return skip('all of it, because the model for faces is not installed: `cutroom models install yunet`.')
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-eyes-'))
  try {
    const joins = (await chooseModel(modelFolders(), 'active-speaker')) !== null
    const tables = [
      ...(hasFilm
        ? [await filmTable(join(folder, 'film'), say), await swayTable(join(folder, 'sway'), say)]
        : []),
      ...(hasFilm && joins
        ? [await speakingTable(join(folder, 'speaking'), say), await splitsTable(join(folder, 'splits'), say)]
        : []),
      await facesTable(say),
      await framingTable(folder, say),
      await screensTable(join(folder, 'screens'), say),
      ...(hasFilm ? [await bannersTable(join(folder, 'banners'), say)] : []),
    ]
    const unmeasured = [
      ...(hasFilm ? [] : ['filmed people, because ../shared/media/people is not there.']),
      ...(joins
        ? []
        : [
            'who speaks by sound and lips together, because no model for it is installed: `cutroom models install lr-asd --from FOLDER`.',
          ]),
      'speed on a graphics card: this was measured on a processor. The same command measures it on a machine that has one.',
    ]
    return qualityBench('eyes', { title, tables, unmeasured })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Case extends Video {
  readonly name: string
  readonly settings: Record<string, unknown>
}

async function casesIn(folder: string, say: (line: string) => void): Promise<Case[]> {
  const talking = async (name: string, turns: readonly Turn[]): Promise<Video> => {
    say(`making two people who talk in turns, ${name}`)
    await mkdir(join(folder, name))
    const seconds = (turns.at(-1)?.end ?? 0) + 0.5
    return { file: await makeTalkingFaces(MEDIA, join(folder, name), turns), seconds, sound: true, turns }
  }
  const turns = await talking('mixed', TURNS)
  const short = await talking('short', SHORT_TURNS)
  const unbroken = await talking('unbroken', UNBROKEN_TURNS)
  const moving = { file: media('moving_face_10s.mp4'), seconds: 10, sound: false, turns: [] }
  const drifting = {
    file: media('two_faces_two_voices_26s.mp4'),
    seconds: 25.8,
    sound: true,
    turns: DRIFTING_TURNS,
  }
  const one = { style: 'style_one' }
  return [
    { ...moving, name: 'one who moves across the picture', settings: {} },
    { ...turns, name: 'two who talk in turns, one shown', settings: one },
    { ...turns, name: 'the same, as the clip is made by default', settings: {} },
    { ...short, name: 'two who talk in turns of 1.3 to 2.4 s, one shown', settings: one },
    { ...unbroken, name: 'two who talk in turns without a pause, one shown', settings: one },
    { ...drifting, name: 'two still portraits with voices, one shown', settings: one },
    { ...drifting, name: 'the same, as the clip is made by default', settings: {} },
  ]
}

async function framingTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  const rows: string[][] = []
  const analysed = new Map<string, ReturnType<typeof lookAt>>()
  const speeds: number[] = []
  for (const one of await casesIn(folder, say)) {
    say(`framing, ${one.name}`)
    const looking = analysed.get(one.file) ?? lookAt(one, join(folder, String(analysed.size)), say)
    analysed.set(one.file, looking)
    const { faces, truth, speed } = await looking
    speeds.push(speed)
    const composition = framed(one, faces, one.settings)
    const result = holdAgainst(one, truth, composition)
    const { jerk = 0, acceleration = 0 } = composition.framing ?? {}
    rows.push([one.name, ...cells(result), acceleration.toFixed(2), jerk.toFixed(2)])
    say(`  the clip's own record: ${JSON.stringify(composition.framing)}`)
  }
  return {
    title: 'Framing of drawn media',
    columns: [
      'clip',
      'a face shown (99 %)',
      'all of it',
      'the one who talks shown (95 %)',
      'turns switched within 0.5 s',
      'latest switch',
      'caption on a face',
      'acceleration',
      'jerk',
    ],
    rows,
    notes: [
      'Every output frame of a 9:16 clip, held against faces found anew in each frame of the source. In brackets what is asked for. A face is shown when three quarters of its box are in the picture; a caption is on a face when it hides more than a tenth of its box, as a share of the frames with captions. Acceleration (greatest, of at most 1.2) and jerk (root mean square) of the camera between its cuts are in view widths per second squared and cubed; each clip keeps the same figures as `framing` in its composition and in render-manifest.json.',
      'The two still portraits have no moving lips, so nobody can tell from that picture who speaks: one of them is shown throughout where one is asked for, and both where the clip decides by itself. Two who talk in turns are the same portraits with mouths that open and close; they stand for the real thing, which the development media lack.',
      `Speed of looking for faces in a chosen clip, decoding included: ${times(Math.min(...speeds))} real time on one core.`,
    ],
  }
}

function cells(result: Framed): string[] {
  const { withFace, shown, whole, talking, onSpeaker, captioned, captionOnFace, delays } = result
  const late = delays.map((delay) => (delay === null ? Infinity : Math.max(0, delay)))
  const within = late.filter((delay) => delay <= 0.5).length
  const latest = Math.max(...late)
  return [
    percent(shown / Math.max(1, withFace)),
    percent(whole / Math.max(1, withFace)),
    talking === 0 ? '' : percent(onSpeaker / talking),
    delays.length === 0 ? '' : `${within} of ${delays.length}`,
    delays.length === 0 ? '' : latest === Infinity ? 'never' : `${latest.toFixed(2)} s`,
    captioned === 0 ? '' : percent(captionOnFace / captioned),
  ]
}
