/** Texts about posts: states, times, first lines. */
import type { PostStatus } from '../../server/contract/tenant-api/social.ts'
import { publishMessages } from '../messages/publish.ts'

const messages = publishMessages.states

export const STATUS_TEXT: Readonly<Record<PostStatus, string>> = {
  draft: messages.draft,
  scheduled: messages.scheduled,
  publishing: messages.publishing,
  success: messages.success,
  error: messages.error,
  cancelled: messages.cancelled,
}

export const statusText = (status: string): string => STATUS_TEXT[status as PostStatus] ?? status

const long = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

/** `Sat, 21 Nov 2026, 10:15`, in this browser's time zone. */
export const momentText = (at: string): string => long.format(new Date(at))
/** A sentence of the appliance with its ISO times in local form. */
export const withMoments = (sentence: string): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, momentText)
export const hourText = (at: string): string => hour.format(new Date(at))
export const dayText = (at: Date): string => day.format(at)

/** Time zone in which moments are shown: `Europe/Berlin`. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The first line of a post, for lists. */
export function firstLine(post: { readonly title: string | null; readonly text: string }): string {
  const line = (post.title ?? post.text).trim().split('\n')[0] ?? ''
  return line === '' ? messages.noText : line
}
