/** Which steps of the set-up are done, as far as this window has seen: it outlives the page, which is made anew for each step. */
import { SvelteSet } from 'svelte/reactivity'

export const finishedSteps = new SvelteSet<string>()
