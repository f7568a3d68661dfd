/** State of the layout panel and its stage: the current shot, its layout, and changes of that. */
import type { ClipFaces } from '../../../server/contract/clip-measurements.ts'
import type { ManualLayout, ManualView } from '../../../server/contract/manual-overrides/layouts.ts'
import { middleSecond } from '../../../server/contract/time-map/frames.ts'
import { MAX_KEYFRAMES } from '../../../server/nodes/index.ts'
import { oncePerClip, type OpenClip } from '../open-clip.svelte.ts'
import type { PanelProps } from '../player.svelte.ts'
import { chosen, spread, type Kind } from './choices.ts'
import { keyframeOn, withKeyframe, withoutKeyframe, withView } from './keyframes.ts'
import { peopleOf, sameScene, type SeenPerson } from './people.ts'
import { layoutAt, LEAST, rounded, setLayout, stretchesOf, type Stretch } from './stretches.ts'

/** Survives switching panels while the clip is open. */
interface Memory {
  view: 'source' | 'result'
  splits: number[]
  /** Of a split, the view that is being set. */
  pane: number
}

const memoryOf = oncePerClip(() => {
  const made = $state<Memory>({ view: 'source', splits: [], pane: 0 })
  return made
})

export type LayoutEditor = ReturnType<typeof createLayoutEditor>

/** The layout at the current frame. */
function readLayout({ clip, player }: PanelProps, memory: Memory) {
  const { edit, editor, preview } = clip.view
  const { composition } = preview
  const { timeMap } = composition
  const { frame, framesPerSecond } = player.view
  const layouts = edit.layouts ?? []
  const stretches = stretchesOf({
    cut: edit.cut,
    faces: editor.faces,
    layouts,
    splits: memory.splits,
    timeMap,
  })
  const everybody = stretches.map((one) => peopleIn(editor.faces, one))
  const index = Math.max(
    0,
    stretches.findLastIndex(({ startFrame }) => startFrame <= frame),
  )
  const stretch = stretches[index]
  const people = everybody[index] ?? []
  const span = timeMap.findLast(({ startFrame }) => startFrame <= frame) ?? timeMap[0]
  const keyframes = layouts.reduce((sum, one) => sum + (one.kind === 'crop' ? one.keyframes.length : 0), 0)
  return {
    composition,
    layouts,
    stretches,
    /** The people in each stretch. */
    everybody,
    /** The one that is on; undefined: the clip plays nothing. */
    stretch,
    people,
    frame,
    set: stretch === undefined ? null : layoutAt(layouts, stretch),
    /** Source second in the middle of the picture that is on, and how many source seconds it lasts. */
    second: span === undefined ? 0 : rounded(middleSecond(span, Math.min(frame, span.endFrame - 1))),
    frameSeconds: (span?.playbackRate ?? 1) / framesPerSecond,
    /** Stretches with as many people in the same places, itself among them. */
    alike: stretches.filter((_, at) => sameScene(everybody[at] ?? [], people)),
    keyframesLeft: MAX_KEYFRAMES - keyframes,
  }
}

const peopleCache = new WeakMap<ClipFaces, Map<string, SeenPerson[]>>()

/** Cached per shot, because this runs on every frame. */
function peopleIn(faces: ClipFaces | null, stretch: Stretch): SeenPerson[] {
  if (faces === null) return []
  const cached = peopleCache.get(faces) ?? new Map<string, SeenPerson[]>()
  peopleCache.set(faces, cached)
  const key = `${stretch.start}-${stretch.end}`
  const people = cached.get(key) ?? peopleOf(faces, stretch)
  cached.set(key, people)
  return people
}

/** `given` is a function because clip and player may change. */
export function createLayoutEditor(given: () => PanelProps) {
  const clip = (): OpenClip => given().clip
  const memory = $derived(memoryOf(clip()))
  const view = $derived(readLayout(given(), memory))

  function write(next: readonly ManualLayout[], drag?: symbol): void {
    clip().change({ layouts: next.length === 0 ? null : [...next] }, drag)
  }
  function change(next: ManualLayout | null, drag?: symbol): void {
    if (view.stretch !== undefined) write(setLayout(view.layouts, view.stretch, next), drag)
  }
  const choiceOf = (kind: Kind): ManualLayout | null =>
    view.stretch === undefined ? null : chosen(kind, view.stretch, view)

  return {
    get memory() {
      return memory
    },
    get view() {
      return view
    },
    change,
    choose(kind: Kind): void {
      if (kind === (view.set?.kind ?? 'auto')) return
      memory.pane = 0
      change(choiceOf(kind))
    },
    /** Sets another view: of the split's chosen pane, or of a manual crop. */
    look(to: ManualView, drag?: symbol): void {
      const { set, second, frameSeconds } = view
      if (set?.kind === 'split') {
        change({ ...set, views: set.views.map((one, at) => (at === memory.pane ? to : one)) }, drag)
        return
      }
      const crop = set?.kind === 'crop' ? set : choiceOf('crop')
      if (crop?.kind === 'crop') change(withView(crop, second, frameSeconds, to), drag)
    },
    toggleKeyframe(): void {
      const { set, second, frameSeconds, keyframesLeft } = view
      if (set?.kind !== 'crop') return
      const on = keyframeOn(set, second, frameSeconds)
      if (on !== -1) change(withoutKeyframe(set, on))
      else if (keyframesLeft > 0) change(withKeyframe(set, second, frameSeconds))
    },
    removeKeyframe(at: number): void {
      if (view.set?.kind === 'crop') change(withoutKeyframe(view.set, at))
    },
    spreadTo(to: readonly Stretch[]): void {
      const { stretches, everybody, layouts, set, people } = view
      const others = to.map((stretch) => ({ stretch, people: everybody[stretches.indexOf(stretch)] ?? [] }))
      write(spread(layouts, { set, people }, others))
    },
    splitHere(): void {
      const { second, frameSeconds, stretch, set, layouts } = view
      const at = rounded(second - frameSeconds / 2)
      if (stretch === undefined || at - stretch.start < LEAST || stretch.end - at < LEAST) return
      memory.splits = [...memory.splits, at]
      if (set === null) return
      // Both halves have the same layout, and can be changed separately from now on.
      const { start, end } = stretch
      write(setLayout(setLayout(layouts, { start, end: at }, set), { start: at, end }, set))
    },
    allAutomatic: () => write([]),
  }
}
