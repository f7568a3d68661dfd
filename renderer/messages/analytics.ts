/** What the analytics page says. */
import { inLanguage, plural } from './common.ts'

const en = {
  page: {
    metrics: {
      views: 'Views',
      likes: 'Likes',
      comments: 'Comments',
      shares: 'Shares',
      engagement: 'Engagement',
    },
    heading: 'Analytics',
    window: 'Published in the last',
    days: (n: number) => plural(n, { one: `${n} day`, other: `${n} days` }),
    nothingYet: 'Nothing is published yet.',
    publishClip: 'Publish a clip',
    figuresFollow: ' to see its figures here within the hour.',
    posts: 'Posts',
    comparedWith: (n: number) =>
      plural(n, { one: 'Compared with the day before.', other: `Compared with the ${n} days before.` }),
    failed: (n: number) => plural(n, { one: `${n} post failed.`, other: `${n} posts failed.` }),
    asOf: (at: string) => `As of ${at}.`,
    byDay: 'Gained per day',
    metric: 'Metric',
    chart: (metric: string, days: number) => `${metric} gained by all posts per day, last ${days} days`,
    byPlatform: 'By platform',
    noPostInWindow: 'No post was published in this time.',
    platform: 'Platform',
    growingFastest: 'Growing fastest',
    nothingGrows: 'Nothing is growing right now. A post is compared from its second update on.',
    bestClips: 'Best clips',
    noClipPosted: 'No clip is published yet.',
    deletedClip: 'Deleted clip',
    clipResult: (engagement: string, views: string, posts: string) =>
      `${engagement} engagement · ${views} views · ${posts}`,
    accuracy: 'Score accuracy',
  },
  answers: {
    works: 'What works',
    worksNot: 'What does not',
    next: 'What to make next',
    tooFew: (n: number) =>
      `From ${n} published posts on, this says what works, what does not, and what to make next.`,
    platform: (platform: string, views: string, elsewhere: string) =>
      `${platform}: a usual post has ${views} views, one elsewhere ${elsewhere}.`,
    noneStandsOut: 'No platform clearly does better than the others.',
    noneFallsBehind: 'No platform clearly does worse than the others.',
    failed: (n: number) => plural(n, { one: `${n} post failed.`, other: `${n} posts failed.` }),
    noClipStandsOut: 'No clip stands out yet: vary topics and lengths, and compare.',
    moreLike: (share: string) => `More like the clip that brought ${share} of all engagement:`,
    basis: (n: number) =>
      `From the ${n} most viewed posts. A usual post is the one in the middle; platforms with fewer than three posts are left out.`,
  },
  chart: {
    asTable: 'Show as a table',
  },
  learning: {
    hitRate: 'Hit rate',
    withoutLearning: 'Without learning',
    explanation: (pairs: number) =>
      `Share of ${pairs} clip pairs with a clear winner that the score put in the right order beforehand. Guessing gets 50 %.`,
    needed: (needed: number, n: number) =>
      `Needs ${needed} clips with a result: published, edited or deleted. There are ${n} so far.`,
    whatCounts: 'What matters here',
    points: (points: string) => `${points} points`,
  },
  post: {
    heading: 'Post analytics',
    onPlatform: (platform: string) => `On ${platform}`,
    openClip: 'Open clip',
    growth: 'Growth',
    chartLater: 'The chart appears after the second update.',
    overTime: 'Over time',
    chart: (metric: string) => `${metric} since it was published`,
    platformMetrics: (platform: string) => `Metrics from ${platform}`,
    notUpdated: 'Not updated yet.',
    asOf: (at: string) => `As of ${at}.`,
    nextUpdate: (at: string) => `Next update ${at}.`,
  },
  table: {
    growth: 'Growth',
    published: 'Published',
    platform: 'Platform',
    everyPlatform: 'Every platform',
    noMatch: 'No posts match these filters.',
    caption: 'Posts, sorted by the chosen column, highest first',
    post: 'Post',
    failed: '· failed',
    view: 'view',
    viewed: (line: string) => `“${line}”`,
  },
}

export const { page, answers, chart, learning, post, table } = inLanguage({ en })
