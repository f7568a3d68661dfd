/** Reads the b-roll settings of a run's nodes. */
import type { Static } from '@sinclair/typebox'
import type { ResolvedNode } from '../../contract/run.ts'
import { dropInvalidFields } from '../compose/read-config.ts'
import { addBroll } from '../types/add-broll.ts'
import type { Frequency } from './choose.ts'

export interface BrollSettings {
  readonly frequency: Frequency
  readonly prompt: string
  readonly useLibrary: boolean
  /** Ids; empty: all. */
  readonly folders: readonly string[]
  /** Services that may be searched, each once. */
  readonly methods: readonly ('google_images' | 'youtube' | 'getty')[]
  /** Pictures are to be made where none is found. */
  readonly generate: boolean
}

/** Of the last node that is on; null when there is none. */
export function brollSettings(nodes: readonly ResolvedNode[]): BrollSettings | null {
  const node = nodes.findLast(({ type, enabled }) => type === 'add_broll' && enabled)
  if (node === undefined) return null
  const config = dropInvalidFields(addBroll.config, node.config, 'add_broll', () => undefined) as Static<
    typeof addBroll.config
  >
  return {
    frequency: config.broll_frequency ?? 'medium',
    prompt: config.prompt ?? '',
    useLibrary: config.use_broll_library ?? true,
    folders: config.library_folder_ids ?? [],
    methods: [...new Set(config.allowed_methods ?? [])],
    generate: config.enable_ai_broll ?? false,
  }
}
