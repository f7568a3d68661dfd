import { omitUndefined } from '../../contract/omit-undefined.ts'
import { DELIVERY_STATES } from '../../contract/events.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
} from '../../domain/webhooks/webhooks.ts'
import { parseChoice } from '../arguments.ts'
import { defineCommand, optional, repeated, required } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

const MAX_DELIVERIES = 200

export const webhookCreate = defineHomeCommand({
  summary: 'Have an address told what happens to runs, renders, clips and posts',
  options: {
    company: required('ID', 'whose events'),
    url: required('URL', 'where they are sent by POST'),
    event: repeated('TYPE', 'run.completed, render.*, ...; may be given several times (all)'),
  },
  examples: {
    'cutroom webhook create --company local --url https://studio.example/hooks --event run.completed --event "post.*"':
      'Prints the webhook and, this once, the secret that its requests are signed with.',
  },
  run: ({ services, options }) => {
    const { company: companyId, url, event: events } = options
    const { webhook, secret } = createWebhook(services, { companyId, url, events })
    return {
      json: { ...webhook, secret },
      text: [
        `Webhook ${webhook.id} tells ${webhook.url} of ${webhook.events.join(', ')}.`,
        `Its secret, shown this once: ${secret}`,
      ],
    }
  },
})

export const webhookList = defineHomeCommand({
  summary: 'List webhooks (never their secrets)',
  options: { company: optional('ID', 'whose (all)') },
  examples: { 'cutroom webhook list --company local': 'Ids, addresses, events, states.' },
  run: ({ services, options }) => {
    const webhooks = listWebhooks(services, options.company ?? null)
    const rows = webhooks.map(({ id, companyId, url, events, state }) => {
      return [id, companyId, state, events.join(','), url]
    })
    return { json: webhooks, text: table([['ID', 'COMPANY', 'STATE', 'EVENTS', 'URL'], ...rows]) }
  },
})

export const webhookDelete = defineHomeCommand({
  summary: 'Delete a webhook and what it was still to be told',
  positionals: ['ID'],
  examples: { 'cutroom webhook delete ID': 'Nothing is sent there any more.' },
  run: ({ services, positionals: [id = ''] }) => {
    deleteWebhook(services, id)
    return { json: { id, deleted: true }, text: `Webhook ${id} is deleted.` }
  },
})

export const webhookDeliveries = defineCommand({
  summary: 'What a webhook was told, newest first, and what it answered',
  positionals: ['ID'],
  options: { state: optional('STATE', 'only these: queued, delivered, dead') },
  examples: {
    'cutroom webhook deliveries ID --state dead': 'What was given up; `webhook replay` sends it again.',
  },
  run: async ({ options, positionals: [webhookId = ''] }) => {
    const state = parseChoice(options.state, DELIVERY_STATES, '--state should be')
    const found = await withServices(options, (services) =>
      listDeliveries(services, webhookId, { ...omitUndefined({ state }), limit: MAX_DELIVERIES }),
    )
    const rows = found.map(
      ({ id, event, subjectId, state: now, attempts, responseStatus, error, nextAt }) => {
        const answer = String(responseStatus ?? '-')
        return [id, event, subjectId, now, String(attempts), answer, nextAt ?? '-', error ?? '']
      },
    )
    return {
      json: found,
      text: table([['ID', 'EVENT', 'SUBJECT', 'STATE', 'TRIES', 'ANSWER', 'NEXT', 'ERROR'], ...rows]),
    }
  },
})

export const webhookReplay = defineHomeCommand({
  summary: 'Tell a webhook once more what it was told, or was not',
  positionals: ['DELIVERY'],
  examples: {
    'cutroom webhook replay DELIVERY':
      'The appliance on this home sends it at once; a paused webhook goes on.',
  },
  run: ({ services, positionals: [id = ''] }) => {
    replayDelivery(services, id)
    return { json: { id, state: 'queued' }, text: `Delivery ${id} is sent again.` }
  },
})
