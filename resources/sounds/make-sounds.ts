/** `npm run sounds`: writes the sound effects beside this file. They are made by this code alone, so their licence is ours. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SYNTHESISED, wavOf } from './synthesise.ts'

for (const [name, synthesise] of Object.entries(SYNTHESISED))
  await writeFile(join(import.meta.dirname, `${name}.wav`), wavOf(synthesise()))
