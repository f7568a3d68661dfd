/** What people read in the settings: sizes, moments, roles. */
import type { AuditRow } from '../../server/contract/audit.ts'
import type { Role } from '../../server/contract/people.ts'
import { actions } from '../messages/audit.ts'
import { words as messages } from '../messages/settings.ts'

export const ROLE_TEXT: Readonly<Record<Role, string>> = messages.roles
export const ROLE_ABOUT: Readonly<Record<Role, string>> = messages.abilities

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.4 GB`; thousands, as disks are sold. */
export function sizeText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? ''}`
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
/** `21 Nov 2026, 10:15`, in this browser's time zone. */
export const whenText = (at: string): string => moment.format(new Date(at))

/** The actor, in two words. */
export function actorText({ actor }: AuditRow): string {
  const { kind, id, name } = actor
  if (kind === 'person') return name ?? id
  return `${messages.actors[kind]} ${name === null ? id : messages.actorFor(id, name)}`
}

/** What the caller did; what was refused or failed was only tried. */
export function actionText({ method, route, status }: AuditRow): string {
  const known =
    method === 'CLI' ? actions.commands[route.replace(/^\S+ /, '')] : actions.routes[`${method} ${route}`]
  const words = known ?? actions.other
  return (method === 'CLI' ? status === 0 : status < 400) ? actions.done(words) : actions.tried(words)
}

/** The outcome. */
export function outcomeText({ method, status }: AuditRow): string {
  if (method === 'CLI') return status === 0 ? messages.done : messages.failed
  if (status < 400) return messages.done
  if (status === 499) return messages.callerLeft
  return status >= 500 ? messages.failedWith(status) : messages.refusedWith(status)
}

export interface EventGroup {
  readonly label: string
  /** The pattern that stands for all of them. */
  readonly all: string
  readonly events: readonly string[]
}

/** `run.*` and what it stands for, by group; of all events that can be subscribed to. */
export function eventGroups(patterns: readonly string[]): EventGroup[] {
  return patterns
    .filter((pattern) => pattern.endsWith('.*'))
    .map((all) => {
      const name = all.slice(0, -2)
      const events = patterns.filter((pattern) => pattern.startsWith(`${name}.`) && pattern !== all)
      return { label: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}s`, all, events }
    })
}

/** The events to subscribe to where `chosen` was selected: single events only where not all of their group are. */
export const requestedEvents = (groups: readonly EventGroup[], chosen: readonly string[]): string[] =>
  groups.flatMap(({ all, events }) =>
    chosen.includes(all) ? [all] : events.filter((event) => chosen.includes(event)),
  )
