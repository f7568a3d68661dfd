/** What the page of worker nodes says. */
import type { PromiseSummary } from '../../server/contract/promises.ts'
import type { StudioWorkerNode, StudioWorkers } from '../../server/contract/workers.ts'
import { inLanguage, plural } from './common.ts'

const cores = (n: number): string => plural(n, { one: '1 core', other: `${n} cores` })
/** Null: not told, by a node of an older version. */
const cardText = (card: boolean | null): string =>
  card === null ? '' : card ? ', a graphics card' : ', no graphics card'

const en = {
  workers: {
    section: 'Workers',
    about:
      'The machines that do the work: this one, and worker nodes that take steps of it, such as speech, faces and renders.',
    here: 'This machine',
    hereNow: ({ name, cores: n, card, running, waiting }: StudioWorkers['here']) =>
      `${name}, ${cores(n)}${cardText(card)}. ${running === 0 ? 'Nothing goes on now' : plural(running, { one: '1 piece of work goes on now', other: `${running} pieces of work go on now` })}${waiting === 0 ? '.' : `, ${waiting} wait.`}`,
    promises: 'Promised times',
    promisesAbout:
      'Every run and every render says when it will be done, by what such work took here before. This is how well that was held.',
    promise: ({ kind, made, kept, lateness }: PromiseSummary) => {
      const work = kind === 'run' ? 'Runs' : 'Renders'
      if (made === 0 || lateness === null) return `${work}: none has ended yet that a time was promised of.`
      const late =
        lateness === 0
          ? 'nine in ten were in time'
          : `nine in ten were late by ${Math.ceil(lateness * 100)} % of it or less`
      return `${work}: ${kept} of the last ${made} were done by the promised time; ${late}.`
    },
    nodes: 'Worker nodes',
    noNodesTaken:
      'This machine does everything by itself. Whether worker nodes may take work is set outside of the studio, by whoever runs the appliance.',
    noNodesHow: 'Start the appliance with these; the guide to the Domain API says what a node needs.',
    queueAway: 'The queue of the worker nodes cannot be reached now. Work waits until it can.',
    none: 'No worker node has joined yet.',
    noneNext: 'Until one does, work that goes to nodes waits.',
    name: 'Name',
    state: 'State',
    seen: 'Last seen',
    doing: 'Does now',
    can: 'Can do',
    states: { working: 'Working', ready: 'Ready', away: 'Away', revoked: 'Revoked' },
    nothing: 'nothing',
    canDo: ({ cores: n, card, models }: StudioWorkerNode) =>
      n === null
        ? 'not known while it is away'
        : `${cores(n)}${cardText(card)}; ${models.length === 0 ? 'no models' : models.join(', ')}`,
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeQuestion: (name: string) => `Revoke ${name}?`,
    revokeText:
      'It is refused from now on, stops by itself, and what it holds goes to another machine. To come back it needs a new token.',
    add: 'Add a worker node',
    addAbout:
      'The other machine needs the same version of Cutroom, the same ffmpeg, and the models for what it is to do. It joins with a token, which opens nothing else and holds for an hour.',
    nodeName: 'Name of the machine',
    nodeNameHint: 'Letters, digits, dots and dashes.',
    make: 'Create token',
    tokenTitle: (name: string) => `Token for ${name}`,
    tokenText:
      'Copy it now: it is shown only this once. Give it to Cutroom on the other machine within an hour.',
    token: 'Token',
    how: 'On the other machine, with the token in a file:',
    reach: 'It has to reach the queue, and the appliance under a name that it accepts:',
  },
}

export const { workers } = inLanguage({ en })
