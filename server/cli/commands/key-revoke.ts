import { setTimeout as delay } from 'node:timers/promises'
import { KEY_REMEMBERED_MS } from '../../db/api-keys.ts'
import { endApiKey } from '../../domain/people/api-keys.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Ends a key. */
export const keyRevoke = defineCommand({
  summary: 'Revoke an API key, at once and for good',
  positionals: ['KEY_ID'],
  options: {},
  examples: [{ line: 'cutroom key revoke 3q2-7wAbCdEfGhIjKlMnOp', does: 'The id is in `cutroom key list`.' }],
  run: async ({ options, positionals, terminal }) => {
    const id = positionals[0] ?? ''
    await withServices(options, (services) => endApiKey(services, id))
    // A running server caches a key for this long; only then is the message below true.
    await delay(KEY_REMEMBERED_MS)
    terminal.out(options.json ? JSON.stringify({ id, revoked: true }) : `Key ${id} is revoked.`)
    return EXIT.done
  },
})
