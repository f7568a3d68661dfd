/** The bundle for machines without internet: there is none on these. */
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { good, untilAnswer } from './debian.ts'
import { type Made, must, type Steps } from './steps.ts'
import type { Machine } from './machine.ts'

export async function checkAirGap(steps: Steps, made: Made, boot: () => Promise<Machine>): Promise<void> {
  cpSync(made.publicKey, join(made.folder, 'public.pem'))
  const bundle = `/packages/${basename(made.bundle ?? '')}`
  const inside = basename(bundle, '.tar')
  const machine = await boot()
  try {
    await steps.step('the bundle installs a service with models, as root, without a network', async () => {
      await good(machine, `cd /root && tar -xf ${bundle}`)
      must((await machine.sh(`cd /root/${inside} && sh install.sh`)).code === 1, 'it installed without a key')
      await good(machine, `cd /root/${inside} && sh install.sh --public-key /packages/public.pem`)
      await untilAnswer(machine, 'http://127.0.0.1:4810/', performance.now())
      const listed = await good(machine, 'cutroom-service models list')
      must(/yunet/.test(listed), listed)
      await good(machine, 'test -z "$(ls -d /var/lib/cutroom/import.* 2>/dev/null)"')
      await good(machine, 'test -f /var/lib/cutroom/models/face/yunet_n_dynamic.onnx')
      steps.figure(
        'models in the bundle that load',
        (await good(machine, 'cutroom-service models verify')).replaceAll('\n', ', '),
      )
    })
    await steps.step("and a program of one's own, as anybody", async () => {
      await good(machine, 'useradd --create-home somebody')
      await good(
        machine,
        `cd && tar -xf ${bundle} && sh ${inside}/install.sh --public-key /packages/public.pem`,
        'somebody',
      )
      await good(
        machine,
        '.local/bin/cutroom models verify 2>/dev/null || ~/.local/bin/cutroom models verify',
        'somebody',
      )
      const again = `~/.local/bin/cutroom models install --from ${bundle} --public-key /packages/public.pem`
      must(
        (await good(machine, again, 'somebody')).includes('is installed in'),
        'not from the archive itself',
      )
    })
  } finally {
    await machine.stop()
  }
}
