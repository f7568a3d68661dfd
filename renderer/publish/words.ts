/** Texts about posts: states, times, first lines; labels of clips; which actions a person may take on a post. */
import type { PostStatus, SocialPost } from '../../server/contract/tenant-api/social.ts'
import type { PlatformFacts } from '../../server/contract/studio.ts'
import { actions as actionMessages, form, states as messages } from '../messages/publish.ts'
import { clockTime } from '../ui/time.ts'
import type { Ability } from '../../server/contract/people.ts'

export const STATUS_TEXT: Readonly<Record<PostStatus, string>> = messages

export const statusText = (status: string): string => STATUS_TEXT[status as PostStatus] ?? status

const long = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
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

export interface LabelledClip {
  readonly id: string
  readonly title: string
  /** Seconds. */
  readonly duration: number
  readonly aspectRatio: string
  /** ISO 8601. */
  readonly createdAt: string
}

/**
 * The title and length of each clip, by its id. Equal labels get the format, then the creation time (as `momentOf`
 * writes it), then a number, each only where it makes a difference.
 */
export function clipLabels(
  clips: readonly LabelledClip[],
  momentOf: (at: string) => string,
): ReadonlyMap<string, string> {
  let labels = new Map(clips.map(({ id, title, duration }) => [id, `${title} (${clockTime(duration)})`]))
  const further = [
    ({ aspectRatio }: LabelledClip) => aspectRatio,
    ({ createdAt }: LabelledClip) => momentOf(createdAt),
    ({ id }: LabelledClip) => `${clips.findIndex((one) => one.id === id) + 1}`,
  ]
  for (const more of further) {
    const alike = Map.groupBy(clips, ({ id }) => labels.get(id))
    const helps = (same: readonly LabelledClip[]): boolean => new Set(same.map(more)).size > 1
    labels = new Map(
      clips.map((clip) => {
        const label = labels.get(clip.id) ?? ''
        return [clip.id, helps(alike.get(label) ?? []) ? `${label} · ${more(clip)}` : label]
      }),
    )
  }
  return labels
}

export type PostAction = 'edit' | 'publish' | 'cancel' | 'move' | 'delete'

interface Offered {
  readonly actions: readonly PostAction[]
  /** A sentence where only an owner can go on; null otherwise. */
  readonly waits: string | null
}

/**
 * `removable`: whether the platform lets an app delete published posts. Publishing and stopping always need
 * an approval.
 */
export function offeredActions(
  { status }: Pick<SocialPost, 'status'>,
  removable: boolean,
  may: (ability: Ability) => boolean,
): Offered {
  const isOpen = status === 'draft' || status === 'error'
  const isGoing = status === 'scheduled' || status === 'publishing'
  const stops = isGoing || (status === 'success' && removable)
  const rules: readonly (readonly [PostAction, boolean, Ability])[] = [
    ['publish', isOpen, 'approve'],
    ['edit', isOpen, 'draft'],
    ['delete', status === 'draft', 'draft'],
    ['move', status === 'scheduled', 'draft'],
    ['cancel', stops, 'approve'],
  ]
  const actions = rules.flatMap(([action, can, ability]) => (can && may(ability) ? [action] : []))
  if (may('approve') || (!isOpen && !stops)) return { actions, waits: null }
  return {
    actions,
    waits: isOpen
      ? actionMessages.ownerApproves
      : isGoing
        ? actionMessages.ownerCancels
        : actionMessages.ownerUnpublishes,
  }
}

/** Why a platform may refuse a clip of this length, in seconds; null: it takes it. */
export function wrongLength({ label, seconds }: PlatformFacts, { duration }: { readonly duration: number }) {
  const { least, most } = seconds
  if (duration >= least && duration <= most) return null
  return form.wrongLength(label, least, most, duration.toFixed(1))
}
