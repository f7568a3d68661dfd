import type { OpenClip } from './open-clip.svelte.ts'

/** What there is one of for each open clip, for all panels alike: made when it is first asked for, gone with the clip. */
export function oncePerClip<T>(make: (clip: OpenClip) => T): (clip: OpenClip) => T {
  const made = new WeakMap<OpenClip, { readonly value: T }>()
  return (clip) => {
    const known = made.get(clip) ?? { value: make(clip) }
    made.set(clip, known)
    return known.value
  }
}
