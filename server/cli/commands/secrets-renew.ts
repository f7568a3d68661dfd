import { openDatabase } from '../../db/client.ts'
import { openHome } from '../../home.ts'
import { acquireHomeLock } from '../../jobs/home-lock.ts'
import { sealedIn } from '../../key-evidence.ts'
import { openSecret, renewKey, useKey } from '../../secrets.ts'
import { defineCommand, EXIT } from '../command.ts'
import { commandConfig } from '../open-home.ts'

/** Continues without a lost encryption key. */
export const secretsRenew = defineCommand({
  summary: 'Go on with the key that is here, or a new one, where the key of the secrets is lost',
  positionals: [],
  options: {},
  examples: [
    {
      line: 'cutroom secrets renew',
      does: 'What was sealed with the lost key stays shut: accounts are connected and webhooks made anew. The appliance must be stopped.',
    },
  ],
  run: ({ options, terminal }) => {
    const config = commandConfig(options)
    const home = openHome(config.home)
    useKey(home, config)
    const lock = acquireHomeLock(home, Date.now())
    try {
      const db = openDatabase(home.database)
      try {
        const { made } = renewKey(home, db)
        const shut = sealedIn(db.sqlite)
          .filter(({ purpose, sealed }) => openSecret(home, purpose, sealed) === null)
          .map(({ purpose }) => purpose)
        if (options.json) terminal.out(JSON.stringify({ made, shut }))
        else {
          terminal.out(made ? 'A new key was made.' : 'The home goes by the key that is here.')
          for (const purpose of shut)
            terminal.note(
              `${purpose.replace(/^social-account:/, 'account:').replace(':', ' ')} does not open with it.`,
            )
          if (shut.length > 0)
            terminal.note(
              'Connect these accounts again (cutroom social connect), and make these webhooks anew.',
            )
        }
        return Promise.resolve(EXIT.done)
      } finally {
        db.close()
      }
    } finally {
      lock.release()
    }
  },
})
