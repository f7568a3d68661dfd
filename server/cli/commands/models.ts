import { resolve } from 'node:path'
import { readPublicKey } from '../../../models/bundle.ts'
import { AppError } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import {
  installFrom,
  installModel,
  listModels,
  planInstall,
  removeModel,
  verifyModel,
  type InstallPlan,
  type ListedModel,
} from '../../domain/models/models.ts'
import { openHome } from '../../home.ts'
import { defineCommand, type Terminal, optional } from '../command.ts'
import { commandConfig } from '../open-home.ts'
import { stopSignal } from '../stop-signal.ts'
import { progressReporter, table } from '../terminal.ts'

/** Brings models into the home. */
export const modelsInstall = defineCommand({
  summary: 'Install models: from their published addresses, or from a folder or archive',
  positionals: ['[NAME...]'],
  options: {
    from: optional('DIR_OR_ARCHIVE', 'take the files from there; needs no internet'),
    'public-key': optional(
      'FILE',
      'with --from: only from an air-gap bundle that this Ed25519 key (PEM) signed',
    ),
  },
  examples: {
    'cutroom models install':
      'What suits this machine; says what that is before it starts. See it with: cutroom models list',
    'cutroom models install whisper-large-v3-turbo': 'Checksums are checked, then the model is loaded once.',
    'cutroom models install --from /media/usb/models.tar.gz': 'Every model found whole in the archive.',
    'cutroom models install --from /media/usb/cutroom-air-gap.tar --public-key studio.pub':
      'From an air-gap bundle: signature and checksums are held against it first.',
  },
  run: async ({ options, positionals, terminal }) => {
    const config = commandConfig(options)
    openHome(config.home)
    const { from, 'public-key': keyFile } = options
    if (keyFile !== undefined && from === undefined)
      throw new AppError('INVALID_USAGE', '--public-key is for bundles: say which with --from.')
    const publicKey = keyFile === undefined ? undefined : await readPublicKey(resolve(keyFile))
    const names =
      positionals.length > 0 || from !== undefined
        ? positionals
        : printPlan(await planInstall(config), terminal)
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
        from === undefined
          ? names.map((name) => async () => [await installModel(config, name, following)])
          : [
              () =>
                installFrom(config, resolve(from), names, { ...following, ...omitUndefined({ publicKey }) }),
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
    return {
      json: installed,
      text: installed.map(({ model, folder, problem }) =>
        problem === null
          ? `${model} is installed in ${folder}`
          : `${model} is in ${folder} and is not used: ${problem}.`,
      ),
      failed: installed.some(({ problem }) => problem !== null),
    }
  },
})

/** Prints the choice for this machine before anything is downloaded; the names of what is to be. */
function printPlan({ machine, fetch, there, byHand }: InstallPlan, terminal: Terminal): string[] {
  terminal.note(`This machine has ${machine}. For it:`)
  for (const { name, goodFor, hardware } of fetch) terminal.note(`  ${name}: ${goodFor} ${hardware}`)
  for (const { name } of there) terminal.note(`  ${name}: installed already.`)
  for (const { name, install } of byHand)
    terminal.note(`  ${name}: has no public address, and is left out. From a folder: ${install}`)
  if (fetch.length === 0) terminal.note('Nothing is left to download.')
  return fetch.map(({ name }) => name)
}

function stateOf({ installed, problem, inUse, recommended }: ListedModel): string {
  if (problem !== null) return installed ? 'does not work' : 'damaged'
  if (installed) return inUse ? 'in use' : 'installed'
  return recommended ? 'recommended' : 'missing'
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const modelsList = defineCommand({
  summary: 'List the models: what is there, what is missing, what each is for',
  examples: {
    'cutroom models list': 'With what is recommended for this machine.',
    'cutroom models list --json': 'With size, licence, folder and address.',
  },
  run: async ({ options }) => {
    const models = await listModels(commandConfig(options))
    const rows = models
      .filter(({ development, installed }) => installed || !development)
      .map((model) => [
        model.name,
        model.task,
        stateOf(model),
        model.bytes === null ? '-' : formatMegabytes(model.bytes),
        model.problem ?? model.goodFor,
      ])
    const wanted = models.filter(({ recommended, installed }) => recommended && !installed)
    const notes: string[] = []
    if (wanted.length > 0)
      notes.push(
        `For this machine: ${wanted.map(({ name }) => name).join(', ')}. Install them with: cutroom models install`,
      )
    else if (models.some(({ installed }) => !installed))
      notes.push('Install one with: cutroom models install NAME')
    return { json: models, text: table([['NAME', 'FOR', 'STATE', 'SIZE', 'GOOD FOR'], ...rows]), notes }
  },
})

export const modelsRemove = defineCommand({
  summary: 'Take installed models out of the home and give their space back',
  positionals: ['NAME', '[NAME...]'],
  examples: {
    'cutroom models remove whisper-base': 'Models in a folder of your own (CUTROOM_MODELS) are left alone.',
  },
  run: async ({ options, positionals }) => {
    const config = commandConfig(options)
    const removed: { model: string; folder: string; bytes: number }[] = []
    for (const name of positionals) removed.push(await removeModel(config, name))
    return {
      json: removed,
      text: removed.map(
        ({ model, bytes }) => `${model} is removed; ${formatMegabytes(bytes)} are free again`,
      ),
    }
  },
})

export const modelsVerify = defineCommand({
  summary: 'Check installed models: checksums, and that each one loads',
  positionals: ['[NAME...]'],
  examples: {
    'cutroom models verify': 'All that are installed; exit code 1 when one is bad.',
    'cutroom models verify whisper-base --json': '[{ "model", "ok", "problem" }]',
  },
  run: async ({ options, positionals, terminal }) => {
    const config = commandConfig(options)
    const listed = await listModels(config)
    const known = listed.filter(({ installed, problem }) => installed || problem !== null)
    const names = positionals.length > 0 ? positionals : known.map(({ name }) => name)
    const progress = progressReporter(terminal)
    const verdicts: { model: string; ok: boolean; problem: string | null }[] = []
    for (const [place, model] of names.entries()) {
      progress.update(place / names.length, `Checking ${model}`)
      verdicts.push({ model, ...(await verifyModel(config, model)) })
    }
    progress.end()
    const lines = verdicts.map(({ model, problem }) => `${model}: ${problem ?? 'sound'}`)
    return {
      json: verdicts,
      text: lines.length === 0 ? 'No model is installed.' : lines,
      failed: verdicts.some(({ ok }) => !ok),
    }
  },
})
