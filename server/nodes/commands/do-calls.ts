/** From requests to one edit: commands run in order, each on the result of those before. PURE. */
import type { ClipEdit } from '../editing/clip-edit.ts'
import type { CommandContext } from './context.ts'
import { COMMANDS, runCommand, type CommandCall } from './index.ts'
import { withPlainQuotes, understand, type Understood } from './match/understand.ts'

/** The answer to one requested command. */
export interface Line {
  readonly kind: 'done' | 'refused' | 'unknown'
  readonly text: string
}

export interface Done {
  /** All of it; the same value as before where nothing was done. */
  readonly edit: ClipEdit
  readonly lines: readonly Line[]
  /** A session command (undo, redo, help) instead of an edit. */
  readonly session: 'undo' | 'redo' | 'help' | null
}

/** Runs the calls that were understood and lists those that were not. */
function doCalls(edit: ClipEdit, context: CommandContext, parts: readonly Understood[]): Done {
  const lines: Line[] = []
  let next = edit
  for (const part of parts) {
    if (part.kind === 'unknown') {
      lines.push({ kind: 'unknown', text: notUnderstood(part.text) })
      continue
    }
    const outcome = runCommand(next, context, part.call)
    if (outcome.kind === 'edit') {
      next = outcome.edit
      lines.push({ kind: 'done', text: outcome.done })
    } else if (outcome.kind === 'refused') lines.push({ kind: 'refused', text: outcome.why })
    else if (parts.length === 1) return { edit, lines, session: outcome.kind }
    else if (outcome.kind !== 'help')
      lines.push({ kind: 'refused', text: `“${part.text}” is done when it is all that you ask for.` })
  }
  return { edit: next, lines, session: null }
}

/** Without a language model. */
export const doMessage = (edit: ClipEdit, context: CommandContext, message: string): Done =>
  doCalls(edit, context, understand(message, context.length))

/** Calls of a model or an agent, which have been held against their schemas. */
export const doModelCalls = (edit: ClipEdit, context: CommandContext, calls: readonly CommandCall[]): Done =>
  doCalls(
    edit,
    context,
    calls.map((call) => ({ kind: 'call', call, text: call.name.replaceAll('_', ' ') })),
  )

/** Everything was understood, and could be done. */
export const isWhole = ({ lines }: Done): boolean => lines.every(({ kind }) => kind === 'done')

const wordsOf = (text: string): Set<string> =>
  new Set(
    withPlainQuotes(text)
      .toLowerCase()
      .match(/[a-z0-9]{3,}/gu),
  )

/** Examples that share most words with the text. */
function nearestExamples(text: string, most = 3): string[] {
  const words = wordsOf(text)
  return COMMANDS.flatMap(({ examples }) => examples)
    .map((example) => ({ example, shared: [...wordsOf(example)].filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, most)
    .map(({ example }) => example)
}

const OUT_OF_REACH = /\b(?:render|export|publish|post|upload|download|share|schedule|save it)\b/iu

function notUnderstood(text: string): string {
  if (OUT_OF_REACH.test(text))
    return `“${text}” is not done from here: nothing is rendered or published by a chat. There are buttons for it above.`
  const near = nearestExamples(text)
  const hint =
    near.length === 0
      ? 'Ask “what can you do?”.'
      : `Nearest to it: ${near.map((one) => `“${one.replaceAll(/[“”]/gu, "'")}”`).join(', ')}.`
  return `“${text}” was not understood. ${hint}`
}
