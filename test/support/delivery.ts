/** Programs in Python that judge delivered files with packages of others (`npm run install:delivery`). */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, '..', '..', '.venv', 'delivery')

/** Why a package cannot judge here; null where it can. */
export const whyNoJudge = (name: string): string | null =>
  existsSync(join(PACKAGES, name)) ? null : `there is no ${name}; npm run install:delivery brings it`

/** Runs a program to its end; what it printed. Throws with what it wrote to stderr when it failed. */
export function judge(program: string, words: readonly string[] = []): Promise<string> {
  const env = { ...process.env, PYTHONPATH: PACKAGES, PYTHONDONTWRITEBYTECODE: '1' }
  return new Promise((resolve, reject) => {
    execFile('python3', ['-c', program, ...words], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(stderr, { cause: error }))
    })
  })
}

/** Reads a WAV file of 16 bits and prints its integrated loudness by ITU-R BS.1770-4. */
export const LOUDNESS = `
import sys, wave, numpy, pyloudnorm
with wave.open(sys.argv[1]) as sound:
    rate = sound.getframerate()
    samples = numpy.frombuffer(sound.readframes(sound.getnframes()), '<i2').reshape(-1, sound.getnchannels())
print(pyloudnorm.Meter(rate).integrated_loudness(samples / 32768))
`
