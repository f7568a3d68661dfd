/** The context menus of the clip editor: of the timeline, of words, and of the preview. */
import { keys, menus as messages, stage } from '../../messages/editor.ts'
import type { Edited } from '../keys.ts'
import {
  addText,
  addZoom,
  copyChosen,
  paste,
  removeChosen,
  splitHere,
  trimToPlayhead,
} from '../timeline/edits.ts'
import { timelineOf } from '../timeline/timeline.svelte.ts'
import { toggleFullScreen } from './full-screen.ts'

export interface MenuEntry {
  readonly label: string
  /** The key that does the same. */
  readonly key?: string
  readonly run: () => void
}

export interface Menu {
  /** Pixels of the window. */
  readonly x: number
  readonly y: number
  readonly entries: readonly MenuEntry[]
}

/** The menu for what an event is about; null: the browser's own. */
export function menuOf(event: MouseEvent, edited: Edited): Menu | null {
  const { target } = event
  if (!(target instanceof Element) || target.closest('input, textarea, select, a') !== null) return null
  const word = target.closest<HTMLElement>('[data-at]')
  const entries =
    word !== null
      ? wordEntries(word)
      : target.closest('[data-tracks]') !== null
        ? timelineEntries(event, target, edited)
        : target.closest('[data-full-screen]') !== null
          ? previewEntries(edited)
          : null
  if (entries === null) return null
  // The menu key has no place of its own in some browsers.
  const box = target.getBoundingClientRect()
  const isPlaced = event.clientX !== 0 || event.clientY !== 0
  return { x: isPlaced ? event.clientX : box.left, y: isPlaced ? event.clientY : box.bottom, entries }
}

/** A word does what its keys do. */
function wordEntries(word: HTMLElement): MenuEntry[] {
  const press = (key: string) => () => {
    const send = (name: string): unknown =>
      word.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
    // A selection elsewhere is not meant.
    if (!word.classList.contains('chosen')) send('Escape')
    send(key)
  }
  const isCut = word.classList.contains('cut')
  return [
    { label: isCut ? messages.restoreWord : messages.cutWord, key: messages.deleteKey, run: press('Delete') },
    { label: messages.correctWord, key: 'F2', run: press('F2') },
    { label: messages.goToWord, key: messages.enterKey, run: press('Enter') },
  ]
}

function timelineEntries(event: MouseEvent, target: Element, { clip, player }: Edited): MenuEntry[] {
  const timeline = timelineOf(clip, player)
  const item = target.closest<HTMLElement>('[data-item]')?.dataset['item']
  if (item !== undefined && !timeline.seen.chosen.has(item)) timeline.choose(item, false)
  // With the pointer, the place that was clicked is meant.
  if (event.button === 2) player.seek(timeline.secondUnder(event.clientX))
  const chosen = timeline.seen.chosen.size > 0
  return [
    { label: keys.split, key: 'S', run: () => splitHere(timeline) },
    { label: keys.trimStart, key: 'I', run: () => trimToPlayhead(timeline, 'start') },
    { label: keys.trimEnd, key: 'O', run: () => trimToPlayhead(timeline, 'end') },
    ...(chosen
      ? [
          { label: messages.copy, key: messages.copyKey, run: () => void copyChosen(timeline) },
          {
            label: messages.deleteSelection,
            key: messages.deleteKey,
            run: () => removeChosen(timeline),
          },
        ]
      : []),
    { label: messages.paste, key: messages.pasteKey, run: () => paste(timeline) },
    { label: messages.addZoom, run: () => void addZoom(timeline) },
    { label: messages.addText, run: () => void addText(timeline) },
    { label: keys.fit, key: '\\', run: () => timeline.fit() },
  ]
}

function previewEntries({ clip, player }: Edited): MenuEntry[] {
  const { playing, sound } = player.view
  return [
    { label: playing ? stage.pause : stage.play, key: messages.spaceKey, run: () => player.toggle() },
    { label: keys.split, key: 'S', run: () => splitHere({ clip, player }) },
    { label: sound.muted ? stage.unmute : stage.mute, key: 'M', run: () => player.toggleMute() },
    {
      label: stage.fullScreen,
      key: 'F',
      run: () => toggleFullScreen(document.querySelector('[data-full-screen]')),
    },
  ]
}
