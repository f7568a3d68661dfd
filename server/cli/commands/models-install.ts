import { resolve } from 'node:path'
import { readPublicKey } from '../../../models/bundle.ts'
import { AppError } from '../../contract/errors.ts'
import {
  installFrom,
  installModel,
  planInstall,
  verifyModel,
  type InstallPlan,
} from '../../domain/models/models.ts'
import { openHome } from '../../home.ts'
import { defineCommand, EXIT, type Terminal } from '../command.ts'
import { commandConfig } from '../open-home.ts'
import { progressReporter } from '../progress.ts'
import { stopSignal } from '../stop-signal.ts'

/** Brings models into the home. */
export const modelsInstall = defineCommand({
  summary: 'Install models: from their published addresses, or from a folder or archive',
  positionals: ['[NAME...]'],
  options: {
    from: {
      type: 'string',
      value: 'DIR_OR_ARCHIVE',
      description: 'take the files from there; needs no internet',
    },
    'public-key': {
      type: 'string',
      value: 'FILE',
      description: 'with --from: only from an air-gap bundle that this Ed25519 key (PEM) signed',
    },
  },
  examples: [
    {
      line: 'cutroom models install',
      does: 'What suits this machine; says what that is before it starts. See it with: cutroom models list',
    },
    {
      line: 'cutroom models install whisper-large-v3-turbo',
      does: 'Checksums are checked, then the model is loaded once.',
    },
    {
      line: 'cutroom models install --from /media/usb/models.tar.gz',
      does: 'Every model found whole in the archive.',
    },
    {
      line: 'cutroom models install --from /media/usb/cutroom-air-gap.tar --public-key studio.pub',
      does: 'From an air-gap bundle: signature and checksums are held against it first.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const config = commandConfig(options)
    openHome(config.home)
    const { from, 'public-key': keyFile } = options
    if (keyFile !== undefined && from === undefined)
      throw new AppError('INVALID_USAGE', { message: '--public-key is for bundles: say which with --from.' })
    const publicKey = keyFile === undefined ? null : await readPublicKey(resolve(keyFile))
    const names =
      positionals.length > 0 || options.from !== undefined
        ? positionals
        : namesOf(await planInstall(config), terminal)
    const stopping = new AbortController()
    void stopSignal().then(() => stopping.abort())
    const progress = progressReporter(terminal)
    const following = {
      signal: stopping.signal,
      onProgress: (fraction: number, note: string) => progress.update(fraction, note),
    }
    const installed: { model: string; folder: string; bytes: number; problem: string | null }[] = []
    try {
      const sources =
        options.from === undefined
          ? names.map((name) => async () => [await installModel(config, name, following)])
          : [
              () =>
                installFrom(config, resolve(options.from ?? ''), names, {
                  ...following,
                  ...(publicKey === null ? {} : { publicKey }),
                }),
            ]
      for (const bring of sources) {
        for (const { model, folder, bytes } of await bring()) {
          progress.update(1, `Trying ${model}`)
          // Bad copies are common: what does not load now would fail in the middle of a run.
          const { problem } = await verifyModel(config, model)
          installed.push({ model, folder, bytes, problem })
        }
      }
    } finally {
      progress.end()
    }
    if (options.json) terminal.out(JSON.stringify(installed))
    else {
      for (const { model, folder, problem } of installed) {
        terminal.out(
          problem === null ? `${model} is installed in ${folder}` : `${model} does not work: ${problem}`,
        )
      }
    }
    return installed.every(({ problem }) => problem === null) ? EXIT.done : EXIT.failed
  },
})

/** Prints the choice for this machine before anything is downloaded. */
function namesOf({ machine, fetch, there, byHand }: InstallPlan, terminal: Terminal): string[] {
  terminal.note(`This machine has ${machine}. For it:`)
  for (const { name, goodFor, hardware } of fetch) terminal.note(`  ${name}: ${goodFor} ${hardware}`)
  for (const { name } of there) terminal.note(`  ${name}: installed already.`)
  for (const { name, install } of byHand)
    terminal.note(`  ${name}: has no public address, and is left out. From a folder: ${install}`)
  if (fetch.length === 0) terminal.note('Nothing is left to download.')
  return fetch.map(({ name }) => name)
}
