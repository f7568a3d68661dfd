/** The chat about the open clip: wishes become one edit each, at once by rules, or by a language model's calls. */
import type { StudioAgent, StudioAgentQuestion, StudioAgentAnswer } from '../../../server/contract/studio.ts'
import { type CommandCall, commandOf } from '../../../server/nodes/commands/index.ts'
import { newKey, call, json } from '../../state/api.ts'
import { sentence } from '../../ui/attempt.svelte.ts'
import { differences, type ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'
import { mergeEdits } from '../merge.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import type { Player } from '../player.svelte.ts'
import { contextOf, type CommandContext } from '../../../server/nodes/commands/context.ts'
import {
  inWords,
  keepConversation,
  keptConversation,
  type AnswerMessage,
  type Message,
} from './conversation.ts'
import { describeDifferences } from './differences.ts'
import {
  doMessage,
  doModelCalls,
  isWhole,
  type Done,
  type Line,
} from '../../../server/nodes/commands/do-calls.ts'
import { Value } from '@sinclair/typebox/value'
import { CAPTION_PRESETS } from '../../../server/nodes/presets/captions.ts'
import { TITLE_PRESETS } from '../../../server/nodes/presets/titles.ts'
import { sentencesOf } from '../../../server/nodes/editing/phrases.ts'
import { speakersIn } from '../../../server/nodes/editing/speakers.ts'
import { clock } from '../../../server/nodes/commands/where.ts'

export interface ChatView {
  readonly messages: readonly Message[]
  /** The model that is being asked; null: nothing is waited for. */
  readonly waiting: string | null
  /** Null: not known yet. */
  readonly agent: StudioAgent | null
}

export interface Chat {
  readonly view: ChatView
  send(text: string): Promise<void>
  /** Waits no longer for the model; nothing is done. */
  cancel(): void
  /** Takes what a message has done back, whatever was done beside it since. */
  takeBack(id: string): void
  clear(): void
}

type AnswerParts = Pick<AnswerMessage, 'lines' | 'notes'> & Partial<AnswerMessage>

/** One step back or forth, and what is said of it. */
function inHistory(clip: OpenClip, session: 'undo' | 'redo'): Line {
  const can = session === 'undo' ? clip.view.canUndo : clip.view.canRedo
  if (!can) return { kind: 'refused', text: `There is nothing to ${session}.` }
  clip[session]()
  return { kind: 'done', text: session === 'undo' ? 'Taken back.' : 'Done again.' }
}

/** Makes `before` of `after` again beside whatever else was edited; a sentence where that is not possible. */
function revert(clip: OpenClip, { before, after }: NonNullable<AnswerMessage['change']>): string | null {
  const now = clip.view.edit
  const { edit, conflicts } = mergeEdits({ base: after, ours: before, theirs: now })
  if (conflicts.length > 0)
    return `Since then ${conflicts.join(' and ')} changed again; take the later edits back first.`
  if (clip.view.canUndo && differences(now, after).length === 0) clip.undo()
  else clip.change(edit)
  return null
}

/** What a model would do; `calls` null: nobody waits for it any more. None, and a note: it did not answer. */
async function modelSays(
  clipId: string,
  question: StudioAgentQuestion,
  signal: AbortSignal,
): Promise<{ readonly calls: readonly CommandCall[] | null; readonly notes: readonly string[] }> {
  const failed = (why: string) => ({ calls: [], notes: [`No model answered; understood by rules. ${why}`] })
  try {
    const given = await askAgent(clipId, question, signal)
    if (given.failed !== null) return failed(given.failed)
    const notes = [given.said, ...given.refused].filter((text) => text !== '')
    return { calls: commandCalls(given), notes }
  } catch (error) {
    return signal.aborted ? { calls: null, notes: ['Cancelled; nothing was done.'] } : failed(sentence(error))
  }
}

export function createChat(clip: OpenClip, player: Player): Chat {
  const { id: clipId } = clip.view.editor
  let messages = $state.raw<readonly Message[]>(keptConversation(clipId))
  let waiting = $state<string | null>(null)
  let agent = $state.raw<StudioAgent | null>(null)
  let abort: AbortController | null = null

  agentState().then(
    (state) => (agent = state),
    (error: unknown) => (agent = { state: 'refused', model: null, why: sentence(error) }),
  )

  function set(next: readonly Message[]): void {
    messages = next
    keepConversation(clipId, next)
  }

  function answer(parts: AnswerParts): void {
    const nothing = { differences: [], change: null, undone: false, help: false }
    set([...messages, { kind: 'answer', id: newKey(), ...nothing, ...parts }])
  }

  const contextNow = () => contextOf(clip.view, player.view.seconds)

  /** One step of the history, however many commands it was. */
  function settle({ edit: after, lines, session }: Done, notes: readonly string[] = []): void {
    const before = clip.view.edit
    if (session === 'help') return answer({ lines, notes, help: true })
    if (session !== null) return answer({ lines: [inHistory(clip, session)], notes })
    if (differences(before, after).length === 0) return answer({ lines, notes })
    clip.change(after)
    const shown = describeDifferences(before, after, clip.view.editor.words)
    answer({ lines, notes, differences: shown, change: { before, after } })
  }

  /** What the rules make of the last wish now. */
  function byRules(): Done {
    const asked = messages.findLast((one) => one.kind === 'person')
    return doMessage(clip.view.edit, contextNow(), asked?.kind === 'person' ? asked.text : '')
  }

  async function askModel(): Promise<void> {
    abort = new AbortController()
    waiting = agent?.model ?? 'the model'
    const question = { messages: inWords(messages), clip: describeClip(clip.view.edit, contextNow()) }
    const { calls, notes } = await modelSays(clipId, question, abort.signal)
    // Meanwhile the clip may have been edited: what is asked for is done to it as it is now.
    if (calls === null) answer({ lines: [], notes })
    else settle(calls.length > 0 ? doModelCalls(clip.view.edit, contextNow(), calls) : byRules(), notes)
    waiting = null
    abort = null
  }

  function takeBack(id: string): void {
    const message = messages.find((one) => one.id === id)
    if (message?.kind !== 'answer' || message.change === null) return
    const problem = revert(clip, message.change)
    if (problem !== null) answer({ lines: [], notes: [problem] })
    else set(messages.map((one) => (one.id === id ? { ...message, undone: true } : one)))
  }

  const view = $derived<ChatView>({ messages, waiting, agent })
  return {
    get view() {
      return view
    },
    async send(given) {
      const text = given.trim().slice(0, 2000)
      if (text === '' || waiting !== null) return
      set([...messages, { kind: 'person', id: newKey(), text }])
      const done = byRules()
      if (isWhole(done) || agent?.state !== 'ready') settle(done)
      else await askModel()
    },
    cancel: () => abort?.abort(),
    takeBack,
    clear: () => set([]),
  }
}

const agentState = (): Promise<StudioAgent> => call<StudioAgent>('/studio/agent')

/** Rejects with an AbortError when `signal` is aborted, with RequestRefused where the appliance refuses. */
const askAgent = (
  clipId: string,
  question: StudioAgentQuestion,
  signal: AbortSignal,
): Promise<StudioAgentAnswer> =>
  call<StudioAgentAnswer>(`/studio/clips/${encodeURIComponent(clipId)}/agent`, {
    ...json('POST', question),
    signal,
  })

/** The calls of an answer that are commands, held against their schemas here too: this is where they are done. */
const commandCalls = (answer: StudioAgentAnswer): CommandCall[] =>
  answer.calls.flatMap(({ name, arguments: given }) => {
    const command = commandOf(name)
    const fits = command !== undefined && Value.Check(command.params, given)
    return fits ? [{ name, arguments: given } as CommandCall] : []
  })

const MAX_CHARACTERS = 40_000

const names = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(', ')

const part = (name: string, config: object): string =>
  `${name}: ${Object.keys(config).length === 0 ? 'as the workflow says' : JSON.stringify(config).slice(0, 600)}`

/** What is heard, a sentence a line, from the second at which the player says it. */
function transcript(edit: ClipEdit, context: CommandContext): string[] {
  const heard = context.words.flatMap((_, at) => (context.heard(edit.cut, at) ? [at] : []))
  const starts = context.words.map(({ start }) => start)
  let played = 0
  const playedOf = (source: number): number => {
    // Sentences come in order: the player's second is looked for from the one before.
    while (played < context.length && context.sourceAt(played) < source) played += 0.1
    return played
  }
  return sentencesOf(context.words, heard).map(({ first, last }) => {
    const text = heard
      .filter((at) => at >= first && at <= last)
      .map((at) => context.words[at]?.word ?? '')
      .join(' ')
    return `[${clock(playedOf(starts[first] ?? 0))}] ${text}`
  })
}

function describeClip(edit: ClipEdit, context: CommandContext): string {
  const { width, height } = context.output
  const lines = [
    `Title: ${edit.title}`,
    `Plays ${context.length.toFixed(1)} s at ${width}x${height}.`,
    `Speakers: ${names(speakersIn(context.words, edit.speakers ?? context.speakers)) || 'not told apart'}`,
    `Caption presets: ${names(CAPTION_PRESETS)}`,
    `Title presets: ${names(TITLE_PRESETS)}`,
    part('Captions', edit.subtitleConfig),
    part('Title card', edit.titleConfig),
    `Watermark: ${typeof edit.watermarkConfig['url'] === 'string' ? 'there is one' : 'none'}`,
    `Music: ${typeof edit.backgroundMusicOption['url'] === 'string' ? `volume ${JSON.stringify(edit.backgroundMusicOption['volume'] ?? 0.2)}` : 'none'}`,
    `End card: ${typeof edit.endCardOption['url'] === 'string' ? 'there is one' : 'none'}`,
    `Zooms set by hand: ${edit.zooms?.length ?? 'none'}`,
    'Transcript of what is heard:',
    ...transcript(edit, context),
  ]
  const text = lines.join('\n')
  return text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}\n(The rest of the transcript is left out.)`
}
