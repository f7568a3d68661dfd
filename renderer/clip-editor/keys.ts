/** The keys of the clip editor. A new one is a line below; `?` lists them. PURE. */
import type { OpenClip } from './open-clip.svelte.ts'
import type { Player } from './player.svelte.ts'
import { toggleFullScreen } from './frame/full-screen.ts'
import { splitHere, trimToPlayhead } from './timeline/edits.ts'
import { timelineOf } from './timeline/timeline.svelte.ts'
import { keys as messages, menus } from '../messages/editor.ts'

export interface Edited {
  readonly clip: OpenClip
  readonly player: Player
  readonly openPalette: () => void
  /** Opens a panel by its label. */
  readonly showPanel: (name: string) => void
}

export interface KeyAction {
  /** As `KeyboardEvent.key` has them, lower case. */
  readonly keys: readonly string[]
  /** With Ctrl, or Command. */
  readonly command?: boolean
  /** With Shift; absent: either way. */
  readonly shift?: boolean
  /** Also while a text field has the focus. */
  readonly inText?: boolean
  readonly does: string
  readonly run: (edited: Edited) => void
}

const step =
  (frames: (player: Player) => number) =>
  ({ player }: Edited): void =>
    player.seekFrame(player.view.frame + frames(player))

const scaled =
  (times: number) =>
  ({ clip, player }: Edited): void => {
    const timeline = timelineOf(clip, player)
    timeline.zoom(timeline.perSecond * times)
  }

export const KEY_ACTIONS: readonly KeyAction[] = [
  {
    keys: ['k'],
    command: true,
    inText: true,
    does: messages.palette,
    run: ({ openPalette }) => openPalette(),
  },
  { keys: [' '], does: messages.play, run: ({ player }) => player.toggle() },
  { keys: ['j'], does: messages.shuttleBack, run: ({ player }) => player.shuttle(-1) },
  { keys: ['k'], does: messages.pause, run: ({ player }) => player.pause() },
  { keys: ['l'], does: messages.shuttleForward, run: ({ player }) => player.shuttle(1) },
  { keys: ['m'], does: messages.muteSound, run: ({ player }) => player.toggleMute() },
  {
    keys: ['f'],
    does: messages.fullScreen,
    run: () => toggleFullScreen(document.querySelector('[data-full-screen]')),
  },
  {
    keys: ['arrowleft'],
    shift: true,
    does: messages.secondBack,
    run: step(({ view }) => -view.framesPerSecond),
  },
  {
    keys: ['arrowright'],
    shift: true,
    does: messages.secondForward,
    run: step(({ view }) => view.framesPerSecond),
  },
  { keys: [',', 'arrowleft'], does: messages.frameBack, run: step(() => -1) },
  { keys: ['.', 'arrowright'], does: messages.frameForward, run: step(() => 1) },
  { keys: ['home'], does: messages.start, run: ({ player }) => player.seekFrame(0) },
  { keys: ['end'], does: messages.end, run: ({ player }) => player.seekFrame(player.view.frames - 1) },
  {
    keys: ['s'],
    does: messages.split,
    run: ({ clip, player }) => splitHere(timelineOf(clip, player)),
  },
  {
    keys: ['i', '['],
    does: messages.trimStart,
    run: ({ clip, player }) => trimToPlayhead(timelineOf(clip, player), 'start'),
  },
  {
    keys: ['o', ']'],
    does: messages.trimEnd,
    run: ({ clip, player }) => trimToPlayhead(timelineOf(clip, player), 'end'),
  },
  { keys: ['+', '='], does: messages.zoomIn, run: scaled(1.5) },
  { keys: ['-'], does: messages.zoomOut, run: scaled(1 / 1.5) },
  {
    keys: ['\\'],
    does: messages.fit,
    run: ({ clip, player }) => timelineOf(clip, player).fit(),
  },
  { keys: ['z'], command: true, shift: false, does: messages.undo, run: ({ clip }) => clip.undo() },
  { keys: ['z'], command: true, shift: true, does: messages.redo, run: ({ clip }) => clip.redo() },
  { keys: ['y'], command: true, does: messages.redo, run: ({ clip }) => clip.redo() },
]

const NAMES: Readonly<Record<string, string>> = { ' ': menus.spaceKey, arrowleft: '←', arrowright: '→' }

/** How a key is written for people. */
export const nameOfKey = (key: string): string => NAMES[key] ?? key.toUpperCase()

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** The action of a key; undefined: none. */
export function actionOf(pressed: Pressed): KeyAction | undefined {
  const command = pressed.ctrlKey || pressed.metaKey
  if (pressed.altKey) return undefined
  return KEY_ACTIONS.find(
    (one) =>
      one.keys.includes(pressed.key.toLowerCase()) &&
      (one.command ?? false) === command &&
      (one.shift ?? pressed.shiftKey) === pressed.shiftKey,
  )
}
