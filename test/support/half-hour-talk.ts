/** A long source with recorded voices of the development media. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openWav } from '../../workers/inference/wav-file.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from './stage-harness.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const MINUTES = 31
const RATE = 16_000

const VOICES = [
  [2, 'flite_slt_alice.wav'],
  [592, 'jfk.flac'],
  [700, 'flite_rms_gettysburg.wav'],
  [1250, 'flite_slt_alice.wav'],
  [1830, 'jfk.flac'],
] as const

/**
 * Half an hour in which recorded voices are heard now and then, in each of its parts of ten minutes; over the edge of one, too. Its
 * index is at its beginning.
 */
export async function makeHalfHourTalk(to: string): Promise<string> {
  const ffmpeg = (args: readonly string[]) => runTool({ executable: bundledTools().ffmpeg, args })
  const samples = new Int16Array(MINUTES * 60 * RATE)
  for (const [start, name] of VOICES) {
    const voice = `${to}.wav`
    await ffmpeg([
      '-v',
      'error',
      '-y',
      '-i',
      join(SHARED, 'media', name),
      '-ar',
      String(RATE),
      '-ac',
      '1',
      voice,
    ])
    await using wav = await openWav(voice)
    samples.set(await wav.read(0, 16), start * RATE)
  }
  const sound = `${to}.s16`
  await writeFile(sound, samples)
  const picture = `testsrc2=size=160x90:rate=1:duration=${MINUTES * 60}`
  await ffmpeg(
    [
      ['-v', 'error', '-y', '-f', 's16le', '-ar', String(RATE), '-ac', '1', '-i', sound],
      ['-f', 'lavfi', '-i', picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
      ['-c:a', 'aac', '-movflags', '+faststart', to],
    ].flat(),
  )
  return to
}
