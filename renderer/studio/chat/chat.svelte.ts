/** The chat about the open clip: wishes become one edit each, at once by rules, or by a language model's calls. */
import type { StudioAgent } from '../../../server/contract/agent.ts'
import { sentence } from '../../ui/sentence.ts'
import { differences, mergeEdits } from '../merge.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import type { Player } from '../player.svelte.ts'
import { agentState, askAgent, commandCalls } from './ask.ts'
import { commandContext } from './context.ts'
import {
  inWords,
  keepConversation,
  keptConversation,
  type AnswerMessage,
  type Message,
} from './conversation.ts'
import { describeClip } from './describe-clip.ts'
import { describeDifferences } from './differences.ts'
import { doMessage, doModelCalls, isWhole, type Done } from './do-calls.ts'

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
    set([...messages, { kind: 'answer', id: crypto.randomUUID(), ...nothing, ...parts }])
  }

  const contextNow = () => {
    const { editor, edit, preview } = clip.view
    const { composition } = preview
    return commandContext({ editor, composition, cut: edit.cut, playhead: player.view.seconds })
  }

  /** One step of the history, however many commands it was. */
  function settle({ edit: after, lines, session }: Done, notes: readonly string[] = []): void {
    const before = clip.view.edit
    if (session === 'help') return answer({ lines, notes, help: true })
    if (session !== null) {
      const can = session === 'undo' ? clip.view.canUndo : clip.view.canRedo
      if (can) clip[session]()
      const text = can
        ? session === 'undo'
          ? 'Taken back.'
          : 'Done again.'
        : `There is nothing to ${session}.`
      return answer({ lines: [{ kind: can ? 'done' : 'refused', text }], notes })
    }
    if (differences(before, after).length === 0) return answer({ lines, notes })
    clip.change(after)
    const shown = describeDifferences(before, after, clip.view.editor.words)
    answer({ lines, notes, differences: shown, change: { before, after } })
  }

  async function askModel(byRules: Done): Promise<void> {
    abort = new AbortController()
    const { signal } = abort
    waiting = agent?.model ?? 'the model'
    try {
      const clipText = describeClip(clip.view.edit, contextNow())
      const given = await askAgent(clipId, { messages: inWords(messages), clip: clipText }, signal)
      if (given.failed !== null)
        return settle(again(byRules), [`No model answered; understood by rules. ${given.failed}`])
      const notes = [given.said, ...given.refused].filter((text) => text !== '')
      const calls = commandCalls(given)
      // Meanwhile the clip may have been edited: what is asked for is done to it as it is now.
      if (calls.length > 0) settle(doModelCalls(clip.view.edit, contextNow(), calls), notes)
      else settle(again(byRules), notes)
    } catch (error) {
      if (signal.aborted) answer({ lines: [], notes: ['Cancelled; nothing was done.'] })
      else settle(again(byRules), [`No model answered; understood by rules. ${sentence(error)}`])
    } finally {
      waiting = null
      abort = null
    }
  }

  /** What the rules make of the last wish now. */
  function again(byRules: Done): Done {
    const asked = messages.findLast((one) => one.kind === 'person')
    return asked?.kind === 'person' ? doMessage(clip.view.edit, contextNow(), asked.text) : byRules
  }

  function takeBack(id: string): void {
    const message = messages.find((one) => one.id === id)
    if (message?.kind !== 'answer' || message.change === null) return
    const { before, after } = message.change
    const now = clip.view.edit
    const { edit, conflicts } = mergeEdits({ base: after, ours: before, theirs: now })
    if (conflicts.length > 0)
      return answer({
        lines: [],
        notes: [`${conflicts.join(' and ')} changed again since; take the later edits back first.`],
      })
    if (clip.view.canUndo && differences(now, after).length === 0) clip.undo()
    else clip.change(edit)
    set(messages.map((one) => (one.id === id ? { ...message, undone: true } : one)))
  }

  const view = $derived<ChatView>({ messages, waiting, agent })
  return {
    get view() {
      return view
    },
    async send(given) {
      const text = given.trim().slice(0, 2000)
      if (text === '' || waiting !== null) return
      set([...messages, { kind: 'person', id: crypto.randomUUID(), text }])
      const byRules = doMessage(clip.view.edit, contextNow(), text)
      if (isWhole(byRules) || agent?.state !== 'ready') settle(byRules)
      else await askModel(byRules)
    },
    cancel: () => abort?.abort(),
    takeBack,
    clear: () => set([]),
  }
}
