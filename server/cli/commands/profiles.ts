import { tryProfile } from '../../adapters/profile-trials.ts'
import { PROFILES } from '../../contract/profiles/registry.ts'
import { defineCommand } from '../command.ts'
import { commandConfig } from '../open-home.ts'

/** What finished files there are, and which of them this machine can make. */
export const profilesList = defineCommand({
  summary: 'List the delivery profiles, and which of them the ffmpeg of this machine can make',
  examples: {
    'cutroom profiles list': 'One line for each; a sentence under each that cannot be made here.',
    'cutroom profiles list --json':
      '[{ "name", "label", "description", "extension", "available", "why", "encoder", ... }]',
  },
  run: async ({ options }) => {
    const config = commandConfig(options)
    const profiles = []
    // One after the other: encoders take all cores.
    for (const profile of PROFILES) {
      const { name, label, description, extension, loudness, frameRate, colour, sidecars } = profile
      const trial = await tryProfile(config, profile)
      const facts = { name, label, description, extension, loudness, frameRate, colour, sidecars }
      profiles.push(
        trial.available
          ? { ...facts, available: true, why: null, encoder: trial.encoder === '' ? null : trial.encoder }
          : { ...facts, available: false, why: trial.why, encoder: null },
      )
    }
    const wide = Math.max(...profiles.map(({ name }) => name.length))
    const text = profiles.flatMap(({ name, extension, description, why }) => [
      `${name.padEnd(wide)}  .${extension.padEnd(4)}  ${description}`,
      ...(why === null ? [] : [`${' '.repeat(wide)}  NOT HERE. ${why}`]),
    ])
    return { json: profiles, text }
  },
})
