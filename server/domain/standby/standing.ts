/** What a home is to the pair of appliances that it belongs to, in a file of its own: standby.json. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { syncFolderNow } from '../../../workers/sync-folder.ts'
import { AppError } from '../../contract/errors.ts'
import type { Home } from '../../home.ts'
import { newId } from '../../ids.ts'

const Standing = Type.Object({
  /** Of this home, among those that may be in charge. A copied home has to have another. */
  holder: Type.String({ minLength: 1 }),
  /** `fenced`: another appliance took over from this one. */
  role: Type.Union([Type.Literal('in charge'), Type.Literal('follows'), Type.Literal('fenced')]),
  /** In charge or fenced: its own. Following: how far its copy of the database came. */
  epoch: Type.Integer({ minimum: 0 }),
  change: Type.Integer({ minimum: 0 }),
})
export type Standing = Static<typeof Standing>

const fileOf = ({ root }: Pick<Home, 'root'>): string => join(root, 'standby.json')

/** Null: this home was never one of two. */
export function readStanding(home: Pick<Home, 'root'>): Standing | null {
  let text: string
  try {
    text = readFileSync(fileOf(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return Value.Decode(Standing, JSON.parse(text))
  } catch (cause) {
    throw new AppError('INVALID_STATE', {
      message: `${fileOf(home)} is damaged. Move it away, and have this machine follow the one in charge: cutroom standby.`,
      cause,
    })
  }
}

export function writeStanding(home: Pick<Home, 'root'>, change: Partial<Standing>): Standing {
  const before = readStanding(home) ?? { holder: newId(), role: 'follows', epoch: 0, change: 0 }
  const standing: Standing = { ...before, ...change }
  const file = fileOf(home)
  writeFileSync(`${file}.part`, `${JSON.stringify(standing)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.part`, file)
  syncFolderNow(home.root)
  return standing
}

/**
 * Throws NOT_IN_CHARGE for a home whose database must not be worked with: it follows another appliance, or one took over
 * from it.
 */
export function requireNotBehind(home: Pick<Home, 'root'>): void {
  const role = readStanding(home)?.role
  if (role === 'fenced') throw tookOver(home.root)
  if (role === 'follows')
    throw new AppError('NOT_IN_CHARGE', {
      message: `${home.root} follows another appliance, which is in charge. Give the command there; to have this one take over: cutroom standby promote.`,
    })
}

/** What a former appliance ends with. */
const tookOver = (where: string): AppError =>
  new AppError('NOT_IN_CHARGE', {
    message: `Another appliance took over from this one (${where}), which writes nothing any more. To have it follow: cutroom standby. To have it take over again: cutroom standby promote.`,
  })

/** Of a home that another one took over from: it is not to be worked with, here and at the next start. */
export function fenceHome(home: Pick<Home, 'root'>): AppError {
  writeStanding(home, { role: 'fenced' })
  return tookOver(home.root)
}
