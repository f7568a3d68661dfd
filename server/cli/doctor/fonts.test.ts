import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { applicationRoot } from '../../config/config.ts'
import { checkFonts } from './engines.ts'

it('the fonts that come with the appliance are whole, and one that is missing or damaged is told', async () => {
  const own = join(applicationRoot(), 'resources')
  expect(await checkFonts({ resources: own })).toMatchObject({ name: 'fonts', state: 'ok' })
  const resources = await mkdtemp(join(tmpdir(), 'cutroom-fonts-'))
  try {
    expect(await checkFonts({ resources })).toMatchObject({ state: 'failure' })
    await cp(join(own, 'fonts'), join(resources, 'fonts'), { recursive: true })
    await rm(join(resources, 'fonts', 'noto-sans-jp'), { recursive: true })
    expect(await checkFonts({ resources })).toMatchObject({
      state: 'failure',
      found: expect.stringContaining('noto-sans-jp') as string,
      mend: expect.stringContaining('Install the appliance again') as string,
    })
  } finally {
    await rm(resources, { recursive: true, force: true })
  }
  const broken = await mkdtemp(join(tmpdir(), 'cutroom-fonts-'))
  try {
    await cp(join(own, 'fonts'), join(broken, 'fonts'), { recursive: true })
    await writeFile(join(broken, 'fonts', 'Anton_400Regular.ttf'), 'not a font')
    expect((await checkFonts({ resources: broken })).found).toContain('Anton_400Regular.ttf')
  } finally {
    await rm(broken, { recursive: true, force: true })
  }
})
