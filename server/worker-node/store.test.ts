import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openHome } from '../home.ts'
import { artefactFolder, sourcePath } from '../../workers/artefacts.ts'
import { sweepStore } from './cache.ts'
import { hasRoomOnDisk } from './node.ts'

it('lets go of what is old, whole, and of nothing else', async () => {
  const root = await mkdtemp(join(tmpdir(), 'cutroom-store-'))
  try {
    const home = openHome(root)
    const old = 'a'.repeat(64)
    const young = 'b'.repeat(64)
    for (const digest of [old, young]) {
      const file = sourcePath(home.sources, digest)
      const folder = artefactFolder(home.artefacts, 'peaks', digest)
      await mkdir(dirname(file), { recursive: true })
      await mkdir(folder, { recursive: true })
      await writeFile(file, 'x')
      await writeFile(join(folder, 'result.json'), '{}')
      if (digest === old) for (const path of [file, folder]) await utimes(path, 1000, 1000)
    }
    expect(await sweepStore(home, 2_000_000)).toBe(2)
    expect(existsSync(sourcePath(home.sources, old))).toBe(false)
    expect(existsSync(artefactFolder(home.artefacts, 'peaks', old))).toBe(false)
    expect(existsSync(sourcePath(home.sources, young))).toBe(true)
    expect(existsSync(join(artefactFolder(home.artefacts, 'peaks', young), 'result.json'))).toBe(true)
    expect(await sweepStore(home, Number.MAX_SAFE_INTEGER)).toBe(2)
    expect([await hasRoomOnDisk(home, 0), await hasRoomOnDisk(home, 2 ** 60)]).toEqual([true, false])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
