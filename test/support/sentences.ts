/** What tests of nodes read of warnings: their sentences. Their codes and settings are in render-warnings.test.ts. */
import { sentencesOf, type RenderRemark } from '../../server/contract/render-remarks.ts'

/** The same with the sentences of its warnings in their place; without warnings where it has none. */
export function inSentences<Edits extends { readonly warnings?: readonly RenderRemark[] }>(
  edits: Edits,
): Omit<Edits, 'warnings'> & { warnings: string[] } {
  const { warnings, ...rest } = edits
  return (warnings === undefined ? rest : { ...rest, warnings: sentencesOf(warnings) }) as Omit<
    Edits,
    'warnings'
  > & {
    warnings: string[]
  }
}
