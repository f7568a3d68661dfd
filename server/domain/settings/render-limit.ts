/** How many renders this machine has going at once: by its cores, or as an owner has chosen. */
import { availableParallelism } from 'node:os'
import type { RenderLimit } from '../../contract/settings.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { deleteSetting, getSetting, setSetting } from '../../db/settings.ts'
import { laneLimits } from '../operations/lane-limits.ts'
import type { DbServices } from '../services.ts'

const SETTING = 'renders-at-once'

/** What an owner has chosen; null: by the cores. */
export function chosenRenderLimit({ db }: DbServices): number | null {
  const stored = getSetting(db, SETTING)
  return stored === null ? null : Number(stored)
}

/** The limit, with what it may be on this machine. */
export function describeRenderLimit(services: DbServices): RenderLimit {
  const { render, cpu } = laneLimits(availableParallelism())
  return { chosen: chosenRenderLimit(services), usual: render, most: cpu }
}

/** Holds from the next render on; without a number it goes by the cores again. INVALID_REQUEST above what the machine takes. */
export function setRenderLimit(services: DbServices, chosen: number | undefined): RenderLimit {
  const { most } = describeRenderLimit(services)
  if (chosen === undefined) deleteSetting(services.db, SETTING)
  else if (chosen > most) throw invalidRequest('chosen', `This machine renders at most ${most} at once.`)
  else setSetting(services.db, SETTING, String(chosen))
  return describeRenderLimit(services)
}
