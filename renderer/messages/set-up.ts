/** What the set-up of a new studio says, and what its machine can do in plain words. */
import { inLanguage } from './common.ts'

const en = {
  setUp: {
    heading: 'Set up your studio',
    section: 'Set-up',
    about: 'Five steps, a few minutes. Skip any of them: each is in Settings as well.',
    steps: 'Steps',
    stepOf: (n: number, of: number) => `Step ${n} of ${of}`,
    done: 'done',
    skipAll: 'Skip set-up',
    leave: 'Back to Settings',
    back: 'Back',
    skip: 'Skip this step',
    next: 'Continue',
    finish: 'Finish',
    owner: {
      label: 'Your account',
      about:
        'You came by a link that works once. Choose a password or a passkey, so that you can come back from anywhere.',
    },
    footage: {
      label: 'Footage',
      about: 'Everything that comes in stays on this machine, in one folder.',
    },
    machine: {
      label: 'This machine',
      about: 'What it can do as it is, and what would make it do more.',
    },
    models: {
      label: 'Models',
      about: 'They hear, see and score. They run here, and nothing of your footage leaves this machine.',
    },
    sample: {
      label: 'A first run',
      about:
        'A talk of about four minutes comes with the appliance. Put it through the first workflow, and see what comes out in Review.',
      start: 'Run the sample',
      noWorkflow: 'There is no workflow yet. Make one under Workflows first.',
      working: 'You need not wait: the clips appear in Review one by one.',
      review: 'Open Review',
    },
    states: {
      none: () => 'This studio was in use before there was a set-up. You can go through it at any time.',
      due: () => 'The set-up was not opened yet.',
      open: (at: string) => `Begun ${at}, and not finished yet.`,
      done: (at: string) => `Finished ${at}.`,
      skipped: (at: string) => `Skipped ${at}. You can go through it at any time.`,
    },
    open: 'Open set-up',
  },
  name: {
    heading: 'Your name',
    label: 'Name',
    saved: 'Your name is saved.',
  },
  footage: {
    heading: 'Where footage is kept',
    folder: 'Folder',
    free: 'Free',
    least: 'Always left free',
    hours: 'What an hour takes',
    kind: 'Footage',
    hour: 'An hour',
    room: 'Room here for',
    kinds: {
      stream: 'Streams and screen recordings (8 Mbit/s)',
      camera: 'Cameras, 1080p (25 Mbit/s)',
      fine: 'Cameras, 4K (100 Mbit/s)',
    },
    roomFor: (hours: number) => (hours < 1 ? 'less than an hour' : `about ${hours.toLocaleString()} h`),
    twice: 'Working files and clips come on top, so the room is reckoned with twice the size of the footage.',
    move: 'The folder is chosen where the appliance runs. To move it, stop the appliance, move the whole folder, and name its new place:',
    keepFree: 'How much is always left free:',
  },
  machine: {
    every: 'Every check',
    missing: (tasks: string) => `Not installed: ${tasks}`,
    open: (section: string) => `Open ${section}`,
    areas: {
      video: {
        title: 'Video files',
        ok: 'Footage of all usual formats can be read, and clips can be written.',
        warning: 'Footage can be read and clips can be written, with one limit.',
        failure: 'Footage cannot be read or clips cannot be written yet.',
      },
      rendering: {
        title: 'Rendering',
        ok: 'The graphics card renders clips.',
        software: 'The processor renders clips: the same quality, more slowly than a graphics card.',
        warning: 'The graphics card that was asked for does not work, so the processor renders clips.',
        failure: 'Clips cannot be rendered yet.',
      },
      models: {
        title: 'Running models',
        ok: 'Models that hear and see run on this machine.',
        warning: 'Models run more slowly than they could, or not at all.',
        failure: 'No model runs on this machine yet.',
      },
      speech: {
        title: 'Speech',
        ok: 'Speech is transcribed here.',
        warning: 'Speech is not transcribed yet: only footage with captions of its own gives clips.',
        failure: 'The speech server does not answer, so only footage with captions of its own gives clips.',
      },
      seeing: {
        title: 'Faces, voices and sounds',
        ok: 'Faces, voices, laughter and meaning are all found.',
        warning: 'Some of it is not found yet, and clips are made without it.',
        failure: 'Faces, voices and sounds are not found yet.',
      },
      room: {
        title: 'Room',
        ok: 'There is room for footage, in a folder that others cannot read.',
        warning: 'The disk or its folder needs a look.',
        failure: 'Nothing can be stored: the disk is full, or its folder is closed.',
      },
      data: {
        title: 'Data and backups',
        ok: 'The database is sound and backed up, and passwords are sealed.',
        warning: 'Your data is sound, but see to this soon.',
        failure: 'Some of your data cannot be read.',
      },
      appliance: {
        title: 'The appliance',
        ok: 'It runs as it should.',
        warning: 'It runs, and could be set up better.',
        failure: 'Something keeps it from its work.',
      },
    },
  },
  missing: {
    installAll: (size: string) => `Install all recommended, ${size}`,
    /** Where the size of some is not known before they are here. */
    installOver: (size: string) => `Install all recommended, over ${size}`,
    all: 'All that is recommended for this machine is installed.',
    more: 'Every model',
  },
}

export const { setUp, name, footage, machine, missing } = inLanguage({ en })
