import type { OpenClip } from './open-clip.svelte.ts'

/** A value shared by all panels of an open clip: created at first use, released with the clip. */
export function oncePerClip<T>(make: (clip: OpenClip) => T): (clip: OpenClip) => T {
  const made = new WeakMap<OpenClip, { readonly value: T }>()
  return (clip) => {
    const known = made.get(clip) ?? { value: make(clip) }
    made.set(clip, known)
    return known.value
  }
}
