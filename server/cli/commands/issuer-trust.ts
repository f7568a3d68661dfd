import { readFile } from 'node:fs/promises'
import { AppError } from '../../contract/errors.ts'
import { trustIssuer } from '../../domain/access/clients.ts'
import { applianceId } from '../../domain/people/sign-in.ts'
import { parseJsonFile } from '../../json-file.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

async function readKeys(path: string): Promise<unknown> {
  try {
    return parseJsonFile(await readFile(path))
  } catch (cause) {
    throw new AppError('INVALID_USAGE', { message: `${path} cannot be read as JSON.`, cause })
  }
}

/** Believes the delegations of another issuer. */
export const issuerTrust = defineCommand({
  summary: 'Believe delegations of another issuer, by its public keys',
  positionals: ['ISSUER'],
  options: {
    jwks: { type: 'string', required: true, value: 'FILE', description: 'its JSON Web Key Set' },
    company: {
      type: 'string',
      multiple: true,
      value: 'ID',
      description: 'the companies that it may speak for (all)',
    },
  },
  examples: [
    {
      line: 'cutroom issuer trust https://id.example.com --jwks keys.json --company acme',
      does: 'Its delegations for acme are believed. Prints what they have to name as their audience.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const issuer = positionals[0] ?? ''
    const jwks = await readKeys(options.jwks)
    // Printed because the issuer's operator has no other place to look it up.
    const audience = await withServices(options, (services) => {
      trustIssuer(services, { issuer, jwks, companies: options.company })
      return applianceId(services)
    })
    terminal.out(
      options.json
        ? JSON.stringify({ issuer, companies: options.company, audience })
        : `"${issuer}" is trusted. Its delegations have to be for this appliance: "aud" is "${audience}".`,
    )
    return EXIT.done
  },
})
