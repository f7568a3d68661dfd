/**
 * Work that an owner starts in the settings and watches: one at a time of a kind and subject, with progress and a
 * cancel. In memory only: started again, each kind continues where it stopped.
 */
import { AppError } from '../../contract/errors.ts'
import type { SettingsTask } from '../../contract/settings.ts'
import { oncePerConnection } from '../../db/prepared.ts'
import { newId } from '../../ids.ts'
import type { Services } from '../services.ts'

/** Ended ones that are still shown. */
const MAX_SHOWN = 20

type Deps = Pick<Services, 'db' | 'now' | 'log'>

interface Held {
  task: SettingsTask
  readonly stopping: AbortController
}

const heldOf = oncePerConnection((db) => {
  const held: Held[] = []
  db.beforeClose(() => {
    for (const { stopping } of held) stopping.abort()
  })
  return held
})

export interface TaskWork {
  readonly kind: SettingsTask['kind']
  readonly subject: string
  /** Answers what it has done, in one sentence. */
  readonly work: (following: {
    signal: AbortSignal
    onProgress: (fraction: number, note: string) => void
  }) => Promise<string>
}

const iso = (time: number): string => new Date(time).toISOString()

/** Starts the task, or returns the one that is running. */
export function startTask(services: Deps, { kind, subject, work }: TaskWork): SettingsTask {
  const all = heldOf(services.db)
  const running = all.find(
    ({ task }) => task.state === 'running' && task.kind === kind && task.subject === subject,
  )
  if (running !== undefined) return running.task
  const held: Held = {
    task: {
      id: newId(),
      kind,
      subject,
      state: 'running',
      progress: 0,
      note: 'Starting',
      error: null,
      startedAt: iso(services.now()),
      finishedAt: null,
    },
    stopping: new AbortController(),
  }
  all.unshift(held)
  all.splice(MAX_SHOWN, Infinity, ...all.slice(MAX_SHOWN).filter(({ task }) => task.state === 'running'))
  void follow(services, held, work)
  return held.task
}

async function follow(services: Deps, held: Held, work: TaskWork['work']): Promise<void> {
  const { signal } = held.stopping
  const end = (changes: Partial<SettingsTask>): void => {
    held.task = { ...held.task, ...changes, finishedAt: iso(services.now()) }
  }
  try {
    const note = await work({
      signal,
      onProgress: (fraction, progressNote) => {
        held.task = { ...held.task, progress: Math.min(1, Math.max(0, fraction)), note: progressNote }
      },
    })
    end({ state: 'done', progress: 1, note })
  } catch (error) {
    if (signal.aborted) return end({ state: 'cancelled', note: 'Cancelled' })
    const known = error instanceof AppError
    if (!known) services.log.error('a task of the settings failed', { kind: held.task.kind, error })
    end({ state: 'failed', error: known ? error.message : 'It failed; the log says why.' })
  }
}

/** The newest first. */
export function listTasks(services: Deps): SettingsTask[] {
  return heldOf(services.db).map(({ task }) => task)
}

/** Requests a task to stop; it does soon. NOT_FOUND for one that is not there or has ended. */
export function cancelTask(services: Deps, id: string): SettingsTask {
  const held = heldOf(services.db).find(({ task }) => task.id === id)
  if (held?.task.state !== 'running')
    throw new AppError('NOT_FOUND', 'There is no such task, or it has ended.')
  held.stopping.abort()
  return held.task
}
