import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { StageContext } from '../context.ts'
import { readJson, readResult } from '../read-results.ts'

const Stretches = Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() }))

/** Where somebody speaks, in seconds of the source, in order: the result of the `voice` stage. */
export async function readStretches(context: StageContext<'voice'>) {
  const { voiceFile } = await readResult(context, 'voice')
  return readJson(join(context.input('voice'), voiceFile), Stretches, 'The voices')
}
