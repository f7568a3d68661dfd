/** The default vertical workflow over one spoken sentence and a half, compiled: what tests of the compiler look at. */
import type { CaptionLayer, TitleLayer } from '../../server/contract/composition.ts'
import { compileComposition } from '../../server/nodes/index.ts'
import { documentOf, factsOf, node, spoken } from './node-values.ts'
import { inSentences } from './sentences.ts'

export const words = spoken(
  'So this is what I mean when I say that every bike deserves a second life. You see it at the dump',
  11,
)
export const vertical = [
  node('find_clips'),
  node('convert_to_vertical'),
  node('add_subtitles'),
  node('add_title_overlay'),
]

export function compile(...args: Parameters<typeof documentOf>) {
  const facts = args[2] ?? factsOf()
  const { composition, warnings } = inSentences(
    compileComposition({ document: documentOf(...args), words, facts }),
  )
  const captions = composition.layers.find((layer): layer is CaptionLayer => layer.kind === 'captions')
  const title = composition.layers.find((layer): layer is TitleLayer => layer.kind === 'title')
  return { composition, warnings, captions, title }
}
export const subtitled = (subtitleConfig: Record<string, unknown>) => compile(vertical, { subtitleConfig })
