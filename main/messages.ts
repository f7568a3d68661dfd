/** The desktop app's own texts: menus, notifications and the page that it shows while there is no studio. */
const counted = new Intl.PluralRules('en')

export const messages = {
  product: 'Cutroom',
  dialogs: { mediaFiles: 'Video and audio' },
  menu: {
    file: 'File',
    newRun: 'New Run',
    openVideo: 'Open Video…',
    openInBrowser: 'Open in Browser',
    view: 'View',
    go: 'Go',
    pages: {
      home: 'Home',
      clips: 'Clips',
      workflows: 'Workflows',
      publish: 'Publish',
      analytics: 'Analytics',
    },
    help: 'Help',
    showLogs: 'Show Logs',
    restart: 'Restart the Appliance',
    settings: 'Settings…',
    notifications: 'Notify when Runs and Renders End',
    checkForUpdates: 'Check for Updates',
    updatesOff: 'Update Check Is Off',
  },
  notifications: {
    runCompleted: { title: 'Clips are ready', body: 'A run has finished.' },
    runFailed: { title: 'A run failed', body: 'Open the studio to see why and what to do.' },
    renderFinished: { title: 'A clip is rendered', body: 'It is ready to watch and download.' },
    renderFailed: { title: 'A clip could not be rendered', body: 'Open the studio to see why.' },
  },
  openedFiles: {
    oneAtATime: 'One video at a time',
    othersWait: (file: string) => `“${file}” is open. Open the other files after it.`,
    replaced: (file: string, before: string) => `“${file}” replaces “${before}”, which had no run yet.`,
    refused: 'The appliance refused the file. Try again.',
  },
  updates: {
    upToDate: 'Cutroom is up to date',
    available: (version: string) => `Cutroom ${version} is available`,
    clickToOpen: 'Click to open its page.',
    failed: 'Could not check for updates',
    off: 'Updates were not checked',
    noNetwork: 'The appliance is offline or has not started yet.',
    noAnswer: (host: string) => `${host} does not answer.`,
    redirected: (host: string) => `${host} redirects to another address. Set that address instead.`,
    httpError: (host: string, status: number) => `${host} answers with HTTP ${status}.`,
    notJson: (host: string) => `The response of ${host} is not JSON.`,
    incomplete: 'The response does not name a version and its page.',
  },
  appliance: { endedWith: (reason: string) => `It ended with ${reason}.` },
  status: {
    starting: { title: 'Cutroom is starting', text: 'One moment. All your work is saved.' },
    running: { title: 'Cutroom is ready', text: '' },
    stopped: { title: 'Cutroom is stopping', text: 'Interrupted work continues at the next start.' },
    waiting: {
      title: 'Cutroom stopped',
      text: (why: string, seconds: number) =>
        seconds < 1
          ? `${why} It restarts in a moment and continues its work.`
          : counted.select(seconds) === 'one'
            ? `${why} It restarts in ${seconds} second and continues its work.`
            : `${why} It restarts in ${seconds} seconds and continues its work.`,
    },
    startNow: 'Start now',
    showLogs: 'Show logs',
  },
}
