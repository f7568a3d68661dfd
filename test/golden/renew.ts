/** `node test/golden/renew.ts`: draws every golden frame again. Look at the pictures before committing them. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOLDEN_CASES } from './cases.ts'
import { drawCase, IMAGES } from './draw.ts'

await mkdir(IMAGES, { recursive: true })
for (const file of await readdir(IMAGES)) await rm(join(IMAGES, file))
for (const golden of GOLDEN_CASES) {
  const picture = await drawCase(golden)
  await writeFile(join(IMAGES, `${golden.name}.png`), await picture.encode('png'))
}
process.stdout.write(`${GOLDEN_CASES.length} pictures in ${IMAGES}\n`)
