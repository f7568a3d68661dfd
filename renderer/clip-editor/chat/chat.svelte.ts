/** The chat about the open clip: each message becomes one edit, by rules or by the commands that a language model calls. */
import type { StudioAgent, StudioAgentQuestion, StudioAgentAnswer } from '../../../server/contract/studio.ts'
import { type CommandCall, commandOf } from '../../../server/nodes/commands/index.ts'
import { answer as texts } from '../../messages/editor.ts'
import { newKey, call, json } from '../../state/api.ts'
import { throughOutages } from '../../state/outage.ts'
import { sentence } from '../../ui/attempt.svelte.ts'
import { differences, type ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'
import { mergeEdits } from '../merge.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import type { Player } from '../player.svelte.ts'
import { contextOf, type CommandContext } from '../../../server/nodes/commands/context.ts'
import {
  formatForModel,
  storeConversation,
  loadConversation,
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

type AnswerParts = Pick<AnswerMessage, 'lines' | 'notes'> & Partial<AnswerMessage>

/** Takes one step back or forth. */
function stepInHistory(clip: OpenClip, session: 'undo' | 'redo'): Line {
  const isUndo = session === 'undo'
  if (!(isUndo ? clip.view.canUndo : clip.view.canRedo))
    return { kind: 'refused', text: isUndo ? texts.nothingToUndo : texts.nothingToRedo }
  clip[session]()
  return { kind: 'done', text: isUndo ? texts.undoneNow : texts.redone }
}

/** Undoes one change beside whatever else was edited since; returns why that is not possible, or null. */
function revert(clip: OpenClip, { before, after }: NonNullable<AnswerMessage['change']>): string | null {
  const now = clip.view.edit
  const { edit, conflicts } = mergeEdits({ base: after, ours: before, theirs: now })
  if (conflicts.length > 0) return texts.changedSince(conflicts.join(texts.and))
  if (clip.view.canUndo && differences(now, after).length === 0) clip.undo()
  else clip.change(edit)
  return null
}

/** The commands that a model calls; null: cancelled. A note without commands says why it did not answer. */
async function requestCalls(
  clipId: string,
  question: StudioAgentQuestion,
  signal: AbortSignal,
): Promise<{ readonly calls: readonly CommandCall[] | null; readonly notes: readonly string[] }> {
  const failed = (why: string) => ({ calls: [], notes: [texts.modelFailed(why)] })
  const path = `/studio/clips/${encodeURIComponent(clipId)}/agent`
  try {
    const answer = await call<StudioAgentAnswer>(path, { ...json('POST', question), signal })
    if (answer.failed !== null) return failed(answer.failed)
    const notes = [answer.said, ...answer.refused].filter((text) => text !== '')
    return { calls: answer.calls.flatMap(checkCall), notes }
  } catch (error) {
    return signal.aborted ? { calls: null, notes: [texts.cancelled] } : failed(sentence(error))
  }
}

/** A call of a command with arguments that fit its schema; nothing of any other. */
function checkCall({ name, arguments: given }: StudioAgentAnswer['calls'][number]): CommandCall[] {
  const command = commandOf(name)
  const fits = command !== undefined && Value.Check(command.params, given)
  return fits ? [{ name, arguments: given } as CommandCall] : []
}

export function createChat(clip: OpenClip, player: Player) {
  const { id: clipId } = clip.view.editor
  let messages = $state.raw<readonly Message[]>(loadConversation(clipId))
  /** The model that is being requested; null: none is. */
  let waiting = $state<string | null>(null)
  let agent = $state.raw<StudioAgent | null>(null)
  let abort: AbortController | null = null

  throughOutages(() => call<StudioAgent>('/studio/agent')).then(
    (state) => (agent = state),
    (error: unknown) => (agent = { state: 'refused', model: null, why: sentence(error) }),
  )

  function set(next: readonly Message[]): void {
    messages = next
    storeConversation(clipId, next)
  }

  function answer(parts: AnswerParts): void {
    const nothing = { differences: [], change: null, undone: false, help: false }
    set([...messages, { kind: 'answer', id: newKey(), ...nothing, ...parts }])
  }

  const readContext = () => contextOf(clip.view, player.view.seconds)

  /** One step of the history, however many commands it was. */
  function apply({ edit: after, lines, session }: Done, notes: readonly string[] = []): void {
    const before = clip.view.edit
    if (session === 'help') return answer({ lines, notes, help: true })
    if (session !== null) return answer({ lines: [stepInHistory(clip, session)], notes })
    if (differences(before, after).length === 0) return answer({ lines, notes })
    clip.change(after)
    const shown = describeDifferences(before, after, clip.view.editor.words)
    answer({ lines, notes, differences: shown, change: { before, after } })
  }

  /** What the rules make of the last request. */
  function runRules(): Done {
    const request = messages.findLast((one) => one.kind === 'person')
    return doMessage(clip.view.edit, readContext(), request?.kind === 'person' ? request.text : '')
  }

  async function runModel(): Promise<void> {
    abort = new AbortController()
    waiting = agent?.model ?? texts.theModel
    const question = { messages: formatForModel(messages), clip: describeClip(clip.view.edit, readContext()) }
    const { calls, notes } = await requestCalls(clipId, question, abort.signal)
    // The clip may have been edited meanwhile: the commands run on it as it is now.
    if (calls === null) answer({ lines: [], notes })
    else apply(calls.length > 0 ? doModelCalls(clip.view.edit, readContext(), calls) : runRules(), notes)
    waiting = null
    abort = null
  }

  const view = $derived({ messages, waiting, agent })
  return {
    get view() {
      return view
    },
    async send(request: string): Promise<void> {
      const text = request.trim().slice(0, 2000)
      if (text === '' || waiting !== null) return
      set([...messages, { kind: 'person', id: newKey(), text }])
      const done = runRules()
      if (isWhole(done) || agent?.state !== 'ready') apply(done)
      else await runModel()
    },
    /** Stops waiting for the model; nothing is changed. */
    cancel: () => abort?.abort(),
    /** Undoes what a message has changed. */
    undo(id: string): void {
      const message = messages.find((one) => one.id === id)
      if (message?.kind !== 'answer' || message.change === null) return
      const problem = revert(clip, message.change)
      if (problem !== null) answer({ lines: [], notes: [problem] })
      else set(messages.map((one) => (one.id === id ? { ...message, undone: true } : one)))
    },
    clear: () => set([]),
  }
}

const MAX_CHARACTERS = 40_000

const joinNames = (list: readonly { readonly name: string }[]): string =>
  list.map(({ name }) => name).join(', ')

const describePart = (name: string, config: object): string =>
  `${name}: ${Object.keys(config).length === 0 ? 'as the workflow says' : JSON.stringify(config).slice(0, 600)}`

/** The audible words, a sentence a line, each with its second in the clip. */
function formatTranscript(edit: ClipEdit, context: CommandContext): string[] {
  const audible = context.words.flatMap((_, at) => (context.heard(edit.cut, at) ? [at] : []))
  const starts = context.words.map(({ start }) => start)
  let played = 0
  const playedOf = (source: number): number => {
    // Sentences come in order, so the search goes on from the last one.
    while (played < context.length && context.sourceAt(played) < source) played += 0.1
    return played
  }
  return sentencesOf(context.words, audible).map(({ first, last }) => {
    const text = audible
      .filter((at) => at >= first && at <= last)
      .map((at) => context.words[at]?.word ?? '')
      .join(' ')
    return `[${clock(playedOf(starts[first] ?? 0))}] ${text}`
  })
}

/** The clip in a few lines, and its words with times, for a language model. PURE. */
function describeClip(edit: ClipEdit, context: CommandContext): string {
  const { width, height } = context.output
  const lines = [
    `Title: ${edit.title}`,
    `Plays ${context.length.toFixed(1)} s at ${width}x${height}.`,
    `Speakers: ${joinNames(speakersIn(context.words, edit.speakers ?? context.speakers)) || 'not told apart'}`,
    `Caption presets: ${joinNames(CAPTION_PRESETS)}`,
    `Title presets: ${joinNames(TITLE_PRESETS)}`,
    describePart('Captions', edit.subtitleConfig),
    describePart('Title card', edit.titleConfig),
    `Watermark: ${typeof edit.watermarkConfig['url'] === 'string' ? 'there is one' : 'none'}`,
    `Music: ${typeof edit.backgroundMusicOption['url'] === 'string' ? `volume ${JSON.stringify(edit.backgroundMusicOption['volume'] ?? 0.2)}` : 'none'}`,
    `End card: ${typeof edit.endCardOption['url'] === 'string' ? 'there is one' : 'none'}`,
    `Zooms set by the editor: ${edit.zooms?.length ?? 'none'}`,
    'Transcript of the audible words:',
    ...formatTranscript(edit, context),
  ]
  const text = lines.join('\n')
  return text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}\n(The rest of the transcript is left out.)`
}
