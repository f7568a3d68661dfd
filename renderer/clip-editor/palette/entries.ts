/** The entries of the palette, commands of the clip and keys of the editor, and their search. PURE. */
import { doModelCalls, isWhole, type Done } from '../../../server/nodes/commands/do-calls.ts'
import type { CommandContext } from '../../../server/nodes/commands/context.ts'
import type { Command } from '../../../server/nodes/commands/declare.ts'
import { COMMANDS, type CommandCall, type CommandName } from '../../../server/nodes/commands/index.ts'
import { patternOf } from '../../../server/nodes/commands/match/lexicon.ts'
import { readAfterLabel } from '../../../server/nodes/commands/match/read-command.ts'
import { understand } from '../../../server/nodes/commands/match/understand.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'
import { paletteMessages, panels } from '../../messages/editor.ts'
import { KEY_ACTIONS, nameOfKey, type KeyAction } from '../keys.ts'

export interface Entry {
  readonly id: string
  readonly label: string
  readonly description: string
  /** Why it cannot be done now; null: it can. */
  readonly unavailable: string | null
  readonly does:
    /** Parameters may be missing yet. */
    | { readonly kind: 'command'; readonly command: Command<CommandName> }
    | { readonly kind: 'calls'; readonly calls: readonly CommandCall[] }
    | { readonly kind: 'key'; readonly action: KeyAction }
    | { readonly kind: 'panel'; readonly name: string }
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const KEYWORDS: ReadonlyMap<string, string> = new Map(
  COMMANDS.map(({ name, description, examples, says }) => {
    const phrases = says.map((one) => (typeof one === 'string' ? one : one[0]))
    const words = phrases.flatMap((one) => one.split(' ').map(patternOf))
    return [name, plain([description, ...examples, ...words].join(' '))]
  }),
)

/** Whether the letters of `part` stand in `whole` in their order. */
function hasLetters(whole: string, part: string): boolean {
  let from = 0
  for (const letter of part) {
    from = whole.indexOf(letter, from) + 1
    if (from === 0) return false
  }
  return true
}

/** How well a search fits, 0 for not at all: label before keywords, beginnings before letters in order. */
export function fitOf(query: string, label: string, keywords: string): number {
  const wanted = plain(query)
  const name = plain(label)
  if (wanted === '') return 1
  if (name.startsWith(wanted)) return 5
  const begins = (text: string) => {
    const words = text.split(' ')
    return wanted.split(' ').every((part) => words.some((word) => word.startsWith(part)))
  }
  if (begins(name)) return 4
  if (begins(`${name} ${keywords}`)) return 3
  return wanted.length > 2 && hasLetters(name, wanted.replaceAll(' ', '')) ? 2 : 0
}

/** A label with its parameters behind it, or a whole sentence: what can be done at once. */
function callsOf(query: string, length: number): readonly CommandCall[] {
  const named = COMMANDS.find(({ label }) => plain(query).startsWith(`${plain(label)} `))
  const given =
    named === undefined ? null : readAfterLabel(named, query.trim().slice(named.label.length), length)
  if (named !== undefined && given !== null) return [{ name: named.name, arguments: given } as CommandCall]
  const parts = query.trim() === '' ? [] : understand(query, length)
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []))
  return calls.length === parts.length && calls.every(({ name }) => name !== 'help') ? calls : []
}

/** What a search finds, best first. */
export function searchEntries(query: string, edit: ClipEdit, context: CommandContext): Entry[] {
  const calls = callsOf(query, context.length)
  const names = calls.map(({ name }) => COMMANDS.find((one) => one.name === name)?.label ?? name)
  const sentence: Entry = {
    id: 'sentence',
    label: paletteMessages.sentence(query.trim()),
    description: names.join(', '),
    unavailable: null,
    does: { kind: 'calls', calls },
  }
  const commands = COMMANDS.filter(({ name }) => name !== 'help').map(
    (command): Entry & { keywords: string } => ({
      id: command.name,
      label: command.label,
      description: command.description,
      unavailable: command.available?.(edit, context) ?? null,
      does: { kind: 'command', command },
      keywords: KEYWORDS.get(command.name) ?? '',
    }),
  )
  const taken = new Set(commands.map(({ label }) => label))
  const keys = KEY_ACTIONS.filter(({ does, inText }) => !taken.has(does) && inText !== true).map(
    (action): Entry & { keywords: string } => ({
      id: `key-${action.does}`,
      label: action.does,
      description: action.keys.map(nameOfKey).join(', '),
      unavailable: null,
      does: { kind: 'key', action },
      keywords: '',
    }),
  )
  const shown = Object.values(panels).map((name): Entry & { keywords: string } => ({
    id: `panel-${name}`,
    label: paletteMessages.showPanel(name),
    description: paletteMessages.panel,
    unavailable: null,
    does: { kind: 'panel', name },
    keywords: plain(name),
  }))
  const found = [...commands, ...keys, ...shown]
    .map((entry) => ({ entry, fit: fitOf(query, entry.label, entry.keywords) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ entry }) => entry)
  return calls.length > 0 && !taken.has(query.trim()) ? [sentence, ...found] : found
}

/** Runs calls as one step; where one of them fails, none is run and `why` is the reason. */
export function doEntry(
  edit: ClipEdit,
  context: CommandContext,
  calls: readonly CommandCall[],
): { readonly done: Done } | { readonly why: string } {
  const done = doModelCalls(edit, context, calls)
  return isWhole(done) ? { done } : { why: done.lines.find(({ kind }) => kind !== 'done')?.text ?? '' }
}
