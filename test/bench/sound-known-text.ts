/** The speech stage from sound to timed words, with a model that knows the text of the development recordings. */
import { join } from 'node:path'
import { installKnownText, offeredPrecisions, whyNoKnownText } from '../speech-model/installed.ts'
import { makeSource, type KnownSource } from '../speech-model/known-sources.ts'
import { PLANS } from '../speech-model/plans.ts'
import { countInvented, prepareSound, transcribeKnown } from '../speech-model/transcribe-known.ts'
import { modelFolders } from './media.ts'
import { percent, seconds } from './measure/spread.ts'
import { scoreWords, type TimedText } from './measure/words.ts'
import type { FigureTable } from './report.ts'

/** How many windows are decoded at once: alone as on a processor, and as on a graphics card. */
const TOGETHER = [1, 4] as const
/** Share of the pieces in each source: about a minute. */
const SHARE = 0.4

interface Pooled {
  readonly said: TimedText[]
  readonly heard: TimedText[]
  invented: number
}

/** Null where the recordings are not. Leaves its files in `folder`. */
export async function knownTextTable(
  folder: string,
  say: (line: string) => void,
): Promise<FigureTable | null> {
  if (whyNoKnownText() !== null) return null
  const models = join(folder, 'known-text-models')
  const offered = offeredPrecisions()
  for (const model of offered) await installKnownText(models, model)
  const rows: string[][] = []
  const pools = new Map<string, Pooled>()
  for (const plan of PLANS) {
    const source = await makeSource({ ...plan, share: SHARE })
    const root = join(folder, `known-text-${plan.seed}`)
    const prepared = await prepareSound(source.samples, join(root, 'sound'), [models, ...modelFolders()])
    for (const model of offered) {
      for (const together of plan === PLANS[1] ? TOGETHER : [1]) {
        const weights = [...new Set(Object.values(model.dtype ?? {}))].join(', ')
        const precision = together === 1 ? weights : `${weights}, ${together} windows at once`
        say(`known text: ${plan.name}, ${precision}`)
        const at = join(root, `${model.name}-${together}`)
        const { transcript } = await transcribeKnown(prepared, { root: at, model: model.name, together })
        const invented = countInvented(transcript, source)
        rows.push([plan.name, precision, ...cells(source.words, transcript.words, invented)])
        if (plan.cuts === 'pauses' && together === 1)
          addTo(pools, precision, source, transcript.words, invented)
      }
    }
  }
  for (const [precision, { said, heard, invented }] of pools)
    rows.push(['all held out', precision, ...cells(said, heard, invented)])
  return {
    title: 'Speech: a model that knows the text',
    columns: [
      'source',
      'weights',
      'words',
      'word error',
      'invented where nobody speaks',
      'start: median',
      '95th percentile',
    ],
    rows,
    notes: [
      'A small model in Whisper’s layout (test/speech-model) that has learned the development recordings by heart, through the stages of a run: it shows that features, windows, decoding, batches, times and repair are right. It says nothing of real speech, accents, noise or languages.',
      'Asked: word error at most 5 %, 95th percentile of the starts at most 0.12 s, nothing invented. Held out are speeds (0.90, 0.945, 1.055, 1.10) and pitches (0.89, 0.935, 1.02, 1.065), every fifth place between words as a cut, brown noise and a fan’s, organ and synthesiser between the pieces; cut at pauses, as the product does, or in the last source amid phrases, which is not asked; it was trained with other speeds, pitches, cuts, noises and music.',
    ],
  }
}

function cells(said: readonly TimedText[], heard: readonly TimedText[], invented: number): string[] {
  const { wordError, startMedian, startLate } = scoreWords(said, heard)
  return [String(said.length), percent(wordError), String(invented), seconds(startMedian), seconds(startLate)]
}

/** Adds a source's words behind those of the sources before it. */
function addTo(
  pools: Map<string, Pooled>,
  precision: string,
  source: KnownSource,
  heard: readonly TimedText[],
  invented: number,
): void {
  const pool = pools.get(precision) ?? { said: [], heard: [], invented: 0 }
  const shift = Math.max(pool.said.at(-1)?.end ?? 0, pool.heard.at(-1)?.end ?? 0)
  const moved = ({ word, start, end }: TimedText) => ({ word, start: start + shift, end: end + shift })
  pool.said.push(...source.words.map(moved))
  pool.heard.push(...heard.map(moved))
  pool.invented += invented
  pools.set(precision, pool)
}
