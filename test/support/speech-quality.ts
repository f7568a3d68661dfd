/** Judges of cleaned speech that are not ours: PESQ (ITU-T P.862.2) and STOI, in Python (`npm run install:speech-quality`). */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, '..', '..', '.venv', 'speech-quality')

/** Why speech cannot be judged here; null where it can. */
export const whyNotJudged = (): string | null =>
  existsSync(join(PACKAGES, 'pesq')) && existsSync(join(PACKAGES, 'pystoi'))
    ? null
    : 'PESQ and STOI are not here; npm run install:speech-quality brings them'

export interface SpeechQuality {
  readonly pesq: number
  readonly stoi: number
}

/** Reads lines of two paths to raw 32-bit samples at 16 kHz, the voice and what is judged, and prints a line for each. */
const PROGRAM = `
import sys, numpy
from pesq import pesq
from pystoi import stoi
for line in sys.stdin:
    voice, judged = (numpy.fromfile(path, '<f4') for path in line.rstrip('\\n').split('\\t'))
    length = min(len(voice), len(judged))
    voice, judged = voice[:length], judged[:length]
    print(pesq(16000, voice, judged, 'wb'), stoi(voice, judged, 16000), flush=True)
`

/** In the order of the pairs: paths to the voice alone and to what is judged. */
export function judgeSpeech(pairs: readonly (readonly [string, string])[]): Promise<SpeechQuality[]> {
  const env = { ...process.env, PYTHONPATH: PACKAGES, PYTHONDONTWRITEBYTECODE: '1' }
  return new Promise((resolve, reject) => {
    const child = execFile('python3', ['-c', PROGRAM], { env }, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(stderr, { cause: error }))
      const lines = stdout.trim().split('\n')
      resolve(
        lines.map((line) => {
          const [pesq = NaN, stoi = NaN] = line.split(' ').map(Number)
          return { pesq, stoi }
        }),
      )
    })
    child.stdin?.end(pairs.map((pair) => pair.join('\t')).join('\n'))
  })
}
