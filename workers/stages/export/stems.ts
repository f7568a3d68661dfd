/** Speech, music and mix, as three WAV files in one ZIP. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rationalToNumber } from '../../../server/contract/time.ts'
import { stemsArguments } from '../../media/arguments/export.ts'
import { detectDialect } from '../../media/dialect.ts'
import type { StageContext } from '../context.ts'
import { findTracks } from '../render/drawing.ts'
import { runPass } from '../render/encode.ts'
import { afterCleaning, makeCleanSound } from '../render/clean.ts'
import { planLoudness } from '../render/loudness.ts'
import { EXACT } from '../render/pure/gain.ts'
import type { Made, Work } from './maker.ts'
import { writeZip } from './zip.ts'

/** Throws RENDER_FAILED, CANCELLED or DISK_FULL. */
export async function makeStems(given: StageContext<'source'>, work: Work<'stems'>): Promise<Made> {
  const { composition } = work
  const context = afterCleaning(given, composition)
  const { folder, temporary, signal, tools } = context
  const { ffmpeg } = tools
  const dialect = await detectDialect(ffmpeg)
  const sourceFile = context.input('source')
  const trackFiles = await findTracks(composition, context.sources)
  const cleanFile = await makeCleanSound(given, composition, dialect)
  const { gain, expectedLufs } = await planLoudness(
    composition,
    { source: sourceFile, tracks: trackFiles, clean: cleanFile },
    { ffmpeg, dialect, folder: temporary, signal },
    EXACT,
  )
  const durationSeconds = composition.durationFrames / rationalToNumber(composition.output.frameRate)
  const stems = {
    speech: join(temporary, 'speech.wav'),
    music: join(temporary, 'music.wav'),
    mix: join(temporary, 'mix.wav'),
  }
  const onProgress = (written: number): void =>
    context.progress(Math.min(0.9, written / durationSeconds), 'Writing the stems')
  const args = stemsArguments({ composition, sourceFile, gain, trackFiles, cleanFile, stems })
  await runPass(context, { composition, dialect }, { args, onProgress })
  const file = 'stems.zip'
  await writeZip(join(folder, file), async (add) => {
    for (const [name, path] of Object.entries(stems)) {
      await add.file(`${name}.wav`, path)
      await rm(path)
    }
  })
  return { file, width: 0, height: 0, frames: 0, durationSeconds, integratedLufs: expectedLufs, warnings: [] }
}
