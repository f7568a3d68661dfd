/** A tiny talk made by the test: moving picture, speech-like bursts of sound, and a caption sidecar. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledTools } from './stage-harness.ts'

const run = promisify(execFile)

export const SENTENCES = [
  'Why do most small studios lose their best moments?',
  'Because nobody has the time to look for them.',
  'We counted it once, and it was three hours for every episode.',
  'That is the secret nobody tells you about editing.',
  'So we built a machine that watches the whole talk for you.',
  'It never gets tired, and it never forgets a good joke.',
  'The first week was a disaster, I will not lie.',
  'Then one clip was seen by two million people.',
  'And that changed everything for our little team.',
  'You can start today, with the footage you already have.',
]

export const SECONDS_PER_SENTENCE = 4
const SPOKEN_SECONDS = 3.2

export interface TinyTalk {
  readonly video: string
  readonly captions: string
  readonly durationSeconds: number
}

const stamp = (seconds: number): string =>
  `00:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${(seconds % 60).toFixed(3).padStart(6, '0').replace('.', ',')}`

/** Writes `talk.mp4` (320x180, 4 s a sentence: 40 s) and `talk.srt` into `folder`. Takes about a second. */
export async function makeTinyTalk(folder: string, name = 'talk', sentences = SENTENCES): Promise<TinyTalk> {
  const durationSeconds = sentences.length * SECONDS_PER_SENTENCE
  const video = join(folder, `${name}.mp4`)
  const captions = join(folder, `${name}.srt`)
  const speaking = `lt(mod(t,${SECONDS_PER_SENTENCE}),${SPOKEN_SECONDS})`
  const sound = `aevalsrc=exprs='0.3*${speaking}*sin(2*PI*180*t)*(0.6+0.4*sin(2*PI*4*t))':s=16000:d=${durationSeconds}`
  const picture = `testsrc2=size=320x180:rate=25:duration=${durationSeconds}`
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '50',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
  ]
  await run(bundledTools().ffmpeg, [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    picture,
    '-f',
    'lavfi',
    '-i',
    sound,
    ...codecs,
    '-shortest',
    video,
  ])
  await writeFile(captions, captionsOf(sentences.length / SENTENCES.length, sentences))
  return { video, captions, durationSeconds }
}

/** The captions (SubRip) of the talk when it is repeated so many times; `sentences`: others, in turn. */
export const captionsOf = (times: number, sentences: readonly string[] = SENTENCES): string =>
  Array.from({ length: times * SENTENCES.length }, (_, index) => {
    const start = index * SECONDS_PER_SENTENCE
    const text = sentences[index % sentences.length] ?? ''
    return `${index + 1}\n${stamp(start)} --> ${stamp(start + SPOKEN_SECONDS)}\n${text}\n`
  }).join('\n')

/** The same talk with its captions inside, as uploads have them: nothing lies beside an upload. Answers its path. */
export async function putCaptionsInside(folder: string, talk: TinyTalk): Promise<string> {
  const whole = join(folder, 'whole.mp4')
  const inputs = ['-i', talk.video, '-i', talk.captions]
  const codecs = ['-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'mov_text']
  await run(bundledTools().ffmpeg, ['-nostdin', '-v', 'error', '-y', ...inputs, ...codecs, whole])
  return whole
}
