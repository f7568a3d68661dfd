import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fromBufferPromise, type ZipFile } from 'yauzl'
import { writeZip } from './zip.ts'

it('is read by another program, with every byte and name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-zip-'))
  try {
    const long = Buffer.alloc(300_000, 'sound')
    await writeFile(join(folder, 'in'), long)
    const write = async (name: string): Promise<Buffer> => {
      await writeZip(join(folder, name), async (add) => {
        await add.bytes('größe-1.png', Buffer.from('first'))
        await add.file('mix.wav', join(folder, 'in'))
        await add.bytes('empty', new Uint8Array())
      })
      return readFile(join(folder, name))
    }
    const archive = await write('one.zip')
    expect(await write('two.zip')).toEqual(archive)
    const read = await entriesOf(archive)
    expect([...read.keys()]).toEqual(['größe-1.png', 'mix.wav', 'empty'])
    expect([read.get('größe-1.png')?.toString(), read.get('empty')?.length]).toEqual(['first', 0])
    expect(read.get('mix.wav')?.equals(long)).toBe(true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function entriesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip: ZipFile = await fromBufferPromise(archive)
  const found = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    found.set(entry.fileName, Buffer.concat(chunks))
  }
  return found
}
