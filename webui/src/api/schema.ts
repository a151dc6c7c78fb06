/**
 * The types of the API. This file is generated: `python -m tests.pages` writes it from the server's
 * OpenAPI document.
 */

/** The sum of an account. */
export type AccountSum = {
  readonly account: string;
  readonly cents: number;
};

/** A new monthly amount. */
export type AmountChange = {
  readonly subscriptionAmount: number | string;
};

/** The amount that applies from the next charge on. */
export type AmountChanged = {
  readonly success?: true;
  readonly message: string;
  readonly subscriptionAmount: number;
};

/** A photo that follows: the SHA-256 of its bytes, and how many they are. */
export type AnnouncedPhoto = {
  readonly sha256: string;
  readonly size: number;
};

/** A measure of the project, whose value a partner may report. */
export type AskedMeasure = {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
};

/** The email address is available and the password acceptable. */
export type Available = {
  readonly success?: true;
};

/** What a log of a given size says about one ballot. */
export type BallotProof = {
  readonly size: number;
  readonly root: string;
  readonly key: LeafProof | null;
  readonly opening: LeafProof | null;
  readonly ballot: LeafProof | null;
  readonly ending: LeafProof | null;
};

/** A voter's token, the key of the receipt, and the size of the tree. */
export type BallotQuestion = {
  readonly proposal: string;
  readonly voter: string;
  readonly key: string;
  readonly size: number;
};

/** Where a member sees payments and changes the card. */
export type BillingPage = {
  readonly success?: true;
  readonly url: string;
};

/** The state of the books: the log's size and root, and its newest entry's time. */
export type BooksMark = {
  readonly size: number;
  readonly root: string;
  readonly at: string | null;
};

/** A year's money, in units of the currency and in cents. */
export type Budget = {
  readonly year: number;
  readonly available: number;
  readonly allocated: number;
  readonly unallocated: number;
  readonly availableCents: number;
  readonly allocatedCents: number;
  readonly unallocatedCents: number;
  readonly spentCents: number;
  readonly heldCents: number;
};

/** The lines behind a row of the budget. */
export type BudgetRow = {
  readonly row: "available" | "allocated" | "unallocated";
  readonly year: number;
  readonly totalCents: number;
  readonly funds: readonly FundOfRow[];
  readonly accounts?: readonly AccountSum[];
  readonly commitments?: readonly VoteMoney[];
};

/** What a card payment is expected to cost. */
export type CardFee = {
  readonly basisPoints: number;
  readonly fixedCents: number;
};

/** The budget settings of spec §3, in units of the currency. */
export type CashOverview = {
  readonly success?: true;
  readonly monthlyDonation: number;
  readonly cashAtHand: number;
  readonly monthlyFixedCost: number;
  readonly cashDeployed: number;
  readonly available: number;
  readonly allocated: number;
  readonly unallocated: number;
  readonly year: number;
};

/** The log's size and root, the note that signs them, and the newest cosigned note. */
export type Checkpoint = {
  readonly size: number;
  readonly root: string;
  readonly checkpoint: string;
  readonly key: string;
  readonly cosigned: string | null;
};

/** Which emails an address gets; without an account it is the newsletter or nothing. */
export type ChosenEmails = {
  readonly success?: true;
  readonly message: string;
  readonly email: string;
  readonly isMember: boolean;
  readonly choice: EmailChoice;
};

/** What the form of a claim offers: the books' currency, all others, and the purposes. */
export type ClaimChoices = {
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly purposes: readonly string[];
};

/** A request to close the account; with the password when the sign-in is old. */
export type Closing = {
  readonly currentPassword?: string | null;
};

/** A QR code: the modules in a row, and the dark ones as an SVG path. */
export type Code = {
  readonly size: number;
  readonly path: string;
};

/** The cardholder's decision in the sandbox. */
export type Confirmation = {
  readonly clientSecret: string;
  readonly outcome: "succeed" | "fail";
};

/** The cardholder's bank must confirm; the client starts this with the secret. */
export type ConfirmationNeeded = {
  readonly success?: true;
  readonly message: string;
  readonly token: string;
  readonly user: User;
  readonly requiresAction?: true;
  readonly intentType: "payment" | "setup";
  readonly clientSecret: string;
};

/** How many contributions there were, and their sum. */
export type ContributionCount = {
  readonly success?: true;
  readonly total: number;
  readonly totalCents: number;
};

/** A translation that changed after the vote was opened; the log has its text. */
export type Correction = {
  readonly language: string;
  readonly day: string;
  readonly reason: string;
};

/** A country in the list of the registration form. */
export type Country = {
  readonly name: string;
  readonly isoCode: string;
  readonly flag: string;
  readonly phonecode: string;
  readonly currency: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timezones: readonly Readonly<Record<string, unknown>>[];
};

/** The browser's options for creating a passkey. */
export type CreationOptions = {
  readonly rp: RelyingParty;
  readonly user: PasskeyUser;
  readonly challenge: string;
  readonly pubKeyCredParams: readonly Readonly<Record<string, unknown>>[];
  readonly timeout: number;
  readonly excludeCredentials?: readonly Credential[];
  readonly authenticatorSelection: Readonly<Record<string, unknown>>;
  readonly attestation: string;
};

/** A passkey that exists already. */
export type Credential = {
  readonly id: string;
  readonly type: "public-key";
  readonly transports?: readonly string[];
};

/** An email address and a password. */
export type Credentials = {
  readonly email: string;
  readonly password: string;
};

/** An act that was decided. */
export type DecidedAct = {
  readonly id: string;
  readonly effect: string;
  readonly state: string;
  readonly decidedBy: string;
  readonly decidedAt: string;
};

/** What came of a signature; `leaf` is its place in the public log, if it has one. */
export type Decision = {
  readonly id: string;
  readonly state: string;
  readonly leaf: number | null;
};

/** A choice of emails, and the text beside it. */
export type DescribedChoice = {
  readonly name: EmailChoice;
  readonly about: string;
};

/** What waits, oldest first, and what was decided last. */
export type Desk = {
  readonly operator: string;
  readonly waiting: readonly DeskAct[];
  readonly decided: readonly DecidedAct[];
};

/** An act as the desk shows it. */
export type DeskAct = {
  readonly id: string;
  readonly action: string;
  readonly effect: string;
  readonly remains: string;
  readonly words: string;
  readonly document: string;
  readonly why: string;
  readonly askedBy: string;
  readonly askedAt: string;
  readonly facts: readonly Fact[];
  readonly papers: readonly WaitingDocument[];
  readonly needed: number;
  readonly signedBy: readonly string[];
  readonly obstacle: string;
  readonly mayDecide: boolean;
  readonly hint: string;
};

/** A statement of the desk, and what the passkey answered. */
export type DeskSignature = {
  readonly statement: string;
  readonly authenticatorData: string;
  readonly clientData: string;
  readonly signature: string;
};

/** A device on which the member is signed in. */
export type DeviceLine = {
  readonly id: string;
  readonly device: string;
  readonly lastUsedOn: string;
  readonly current: boolean;
};

/** Which project a grant or a donation paid for. */
export type Donation = {
  readonly code: string;
  readonly title: string;
  readonly amount: string | null;
  readonly amountCents: number;
  readonly original?: {
    readonly title?: string;
  };
  readonly language: string;
  readonly projectSlug: string | null;
};

/** The donations, how many, and their sum. */
export type Donations = {
  readonly count: number;
  readonly totalCents: number;
  readonly donations: readonly Donation[];
};

/** Success, with a message for the person. */
export type Done = {
  readonly success?: true;
  readonly message: string;
};

/** Which emails a member chose to get, besides those that always come. */
export type EmailChoice = "at-once" | "monthly" | "votes" | "nothing";

/** A kind of email. */
export type EmailKind = {
  readonly name: string;
  readonly about: string;
  readonly to: readonly ("members" | "readers" | "givers" | "operators" | "partners" | "claimants")[];
  readonly consent: "always" | "votes" | "news";
  readonly mayBeBundled: boolean;
  readonly hasStopLink: boolean;
  readonly hasCode: boolean;
};

/** The choices, and the kinds of email with what each is about. */
export type EmailKinds = {
  readonly choices: readonly DescribedChoice[];
  readonly kinds: readonly EmailKind[];
};

/** An entry in short: money in is positive, money out negative. */
export type EntryLine = {
  readonly id: string;
  readonly kind: "pledge" | "gift" | "grant" | "refund" | "refund_failure" | "dispute" | "dispute_reversal" | "fee" | "payout" | "payout_arrived" | "payout_reversal" | "reserve" | "topup" | "commitment" | "release" | "disbursement" | "return" | "expense" | "salary" | "transfer" | "opening" | "reversal" | "suspense" | "manual";
  readonly month: string;
  readonly amountCents: number;
};

/** An entry as everybody may see it; it names nobody. */
export type EntryPage = {
  readonly id: string;
  readonly kind: "pledge" | "gift" | "grant" | "refund" | "refund_failure" | "dispute" | "dispute_reversal" | "fee" | "payout" | "payout_arrived" | "payout_reversal" | "reserve" | "topup" | "commitment" | "release" | "disbursement" | "return" | "expense" | "salary" | "transfer" | "opening" | "reversal" | "suspense" | "manual";
  readonly month: string;
  readonly date: string | null;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly funds: Readonly<Partial<Record<Fund, number>>>;
  readonly project: string | null;
  readonly title: string;
  readonly sample?: boolean;
  readonly documents: readonly PagePaper[];
  readonly foreign?: ForeignAmount;
  readonly proof: EntryProof;
  readonly trace: readonly FollowedFund[];
  readonly payers: number;
  readonly about: EntryLine | null;
  readonly later: readonly EntryLine[];
};

/** Where an entry stands in the public log, and its fingerprint there. */
export type EntryProof = {
  readonly index: number;
  readonly leaf: string;
};

/** A photo or document that shows a milestone was reached, named by the hash of its bytes. */
export type Evidence = {
  readonly path: string;
  readonly sha256: string;
  readonly isImage: boolean;
};

/** A value of an act by its name. */
export type Fact = {
  readonly name: string;
  readonly text: string;
};

/** What the holder of a link sees: the project's name, and their own reports or claims. */
export type FieldPage = {
  readonly partner: string;
  readonly language: string;
  readonly project: string;
  readonly projectTitle: string;
  readonly lastDay: string;
  readonly milestones: readonly OpenMilestone[];
  readonly measures: readonly AskedMeasure[];
  readonly reports: readonly SentReport[];
  readonly claims: ClaimChoices | null;
};

/** A report from the field; its photos follow in pieces. */
export type FieldReport = {
  readonly title: string;
  readonly text: string;
  readonly milestone?: string | null;
  readonly numbers?: readonly MeasuredValue[];
  readonly consent?: "yes" | "nobody" | "no" | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly writtenAt?: number | null;
  readonly photos?: readonly AnnouncedPhoto[];
};

/** The counts of a decided vote, and its turnout. */
export type FinalCounts = {
  readonly yes: number | null;
  readonly no: number | null;
  readonly void: number;
  readonly roll: number;
  readonly notVoted: number | null;
  readonly needed: number | null;
  readonly upvotePercentage: number | null;
  readonly downvotePercentage: number | null;
  readonly rule: VoteRule;
  readonly passes: boolean | null;
  readonly final: boolean;
  readonly turnoutPercentage: number;
};

/** An amount, and where it went. */
export type Followed = {
  readonly cents: number;
  readonly month: string | null;
  readonly contributions: number;
  readonly receivedCents: number;
  readonly funds: readonly FollowedFund[];
  readonly months: readonly string[];
};

/** A fund's part of the amount: paid, waiting and given back add up to it. */
export type FollowedFund = {
  readonly fund: "projects" | "staff" | "marketing" | "other" | "committed";
  readonly cents: number;
  readonly paid: readonly FollowedPart[];
  readonly waitingCents: number;
  readonly refundedCents: number;
};

/** What a part of the amount paid for, with the slug of its project, if it is one. */
export type FollowedPart = {
  readonly project: string | null;
  readonly title: string;
  readonly sample?: boolean;
  readonly cents: number;
};

/** What a payee received in another currency, without the operator's source of the rate. */
export type ForeignAmount = {
  readonly currency: string;
  readonly amountMinor: number;
  readonly text: string;
  readonly rate: string;
  readonly receipt?: string;
};

/** Payments in one currency, added up in both currencies. */
export type ForeignSum = {
  readonly currency: string;
  readonly amountMinor: number;
  readonly text: string;
  readonly cents: number;
};

/** The account whose password was forgotten. */
export type ForgottenPassword = {
  readonly email: string;
};

/** The funds, in display order. */
export type Fund = "projects" | "staff" | "marketing" | "other" | "committed";

/** One fund of the split: its promised share and its spending. */
export type FundFigures = {
  readonly fund: "projects" | "staff" | "marketing" | "other" | "committed";
  readonly receivedCents: number;
  readonly spentCents: number;
  readonly feesCents: number;
  readonly heldCents: number;
  readonly promisedShare: number;
  readonly actualShare: number;
};

/** A fund's money in a year, with its promised and actual share in percent. */
export type FundLine = {
  readonly fund: "projects" | "staff" | "marketing" | "other" | "committed";
  readonly receivedCents: number;
  readonly spentCents: number;
  readonly heldCents: number;
  readonly promisedShare: number;
  readonly actualShare: number;
};

/** A fund's part of a row of the budget, and the sums that make it up. */
export type FundOfRow = {
  readonly fund: "projects" | "staff" | "marketing" | "other" | "committed";
  readonly openingCents?: number;
  readonly receivedCents?: number;
  readonly transferredCents?: number;
  readonly spentCents?: number;
  readonly heldCents?: number;
  readonly availableCents?: number;
  readonly allocatedCents?: number;
  readonly cents: number;
};

/** How payments and their fees are split over the funds. */
export type FundPolicy = {
  readonly from: string;
  readonly weights: FundWeights;
  readonly feeWeights: FundWeights;
};

/** The weight of each fund in a split. */
export type FundWeights = {
  readonly projects: number;
  readonly staff: number;
  readonly marketing: number;
  readonly other: number;
};

/** A one-time gift. */
export type Gift = {
  readonly amountCents: number;
  readonly email: string;
  readonly name?: string;
  readonly language?: string | null;
  readonly paymentMethodId: string;
};

/** The giver's bank must confirm. */
export type GiftConfirmation = {
  readonly success?: true;
  readonly message: string;
  readonly amountCents: number;
  readonly entry?: string | null;
  readonly requiresAction?: true;
  readonly intentType: "payment" | "setup";
  readonly clientSecret: string;
};

/** The gift was charged. */
export type GiftGiven = {
  readonly success?: true;
  readonly message: string;
  readonly amountCents: number;
  readonly entry?: string | null;
};

/** The gift is noted: how to pay it, which an email says too. */
export type GiftOnTheWay = {
  readonly success?: true;
  readonly message: string;
  readonly amountCents: number;
  readonly way: "transfer" | "cash" | "mobile" | "cheque";
  readonly reference: string;
  readonly details: string;
  readonly iban: string;
  readonly holder: string;
  readonly code: Code | null;
};

/** Which project a grant or a donation paid for. */
export type Grant = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly project: string;
  readonly description: string;
  readonly location?: string;
  readonly regionCode?: string;
  readonly category: "civic" | "water" | "healthcare" | "education" | "business" | "agriculture";
  readonly icon?: string;
  readonly amount?: string;
  readonly amountCents: number;
  readonly account?: string;
  readonly imageUrl?: string;
  readonly sample?: boolean;
  readonly original?: {
    readonly name?: string;
    readonly project?: string;
    readonly description?: string;
    readonly location?: string;
  };
  readonly language: string;
  readonly projectSlug: string | null;
};

/** What the organisation received, spent, decided and achieved, and the other reports. */
export type ImpactReport = {
  readonly organisation: string;
  readonly period: ReportPeriod;
  readonly books: BooksMark;
  readonly changemakers: number;
  readonly pledgedMonthlyCents: number;
  readonly receivedCents: Receipts;
  readonly refundsCents: number;
  readonly keptCents: number;
  readonly feesCents: number;
  readonly contributions: number;
  readonly gifts: number;
  readonly givers: number;
  readonly funds: readonly FundFigures[];
  readonly driftNote: string;
  readonly months: readonly MonthLine[];
  readonly disbursements: readonly Payout[];
  readonly disbursedCents: number;
  readonly paidAbroad?: readonly ForeignSum[];
  readonly cashAtHandCents: number;
  readonly cashDeployedCents: number;
  readonly proposals: readonly ProposalRecord[];
  readonly projects: readonly ProjectProgress[];
  readonly lateEntries: readonly LateEntry[];
  readonly spent: readonly PurposeLine[];
  readonly papers?: PaperFigures;
  readonly isOver: boolean;
  readonly archive: readonly ReportPeriod[];
};

/** The code of an invitation, and the passkey that the browser made. */
export type InvitationPasskey = {
  readonly code: string;
  readonly id: string;
  readonly clientData: string;
  readonly attestation: string;
};

/** A new member with an active pledge. */
export type Joined = {
  readonly success?: true;
  readonly message: string;
  readonly token: string;
  readonly user: User;
};

/** A token, and one for the device, which may sign in while others have to wait. */
export type KnownDevice = {
  readonly success?: true;
  readonly message: string;
  readonly token: string;
  readonly device: string;
};

/** An entry dated in the period but booked after its end. */
export type LateEntry = {
  readonly id: string;
  readonly date: string;
  readonly recordedOn: string;
  readonly description: string;
  readonly cents: number;
};

/** A leaf, and the hashes that lead from it to the root of a log. */
export type LeafProof = {
  readonly index: number;
  readonly leaf: string;
  readonly proof: readonly string[];
};

/** A legal text in the reader's language. */
export type LegalAnswer = {
  readonly text: "terms" | "privacy";
  readonly version: number | null;
  readonly from: string | null;
  readonly until: string | null;
  readonly status: "in force" | "upcoming" | "earlier" | "withdrawn" | null;
  readonly language: string;
  readonly notes: readonly string[];
  readonly markdown: string;
  readonly html: string;
  readonly versions: readonly ListedVersion[];
};

/** The limits and suggestions of the forms. */
export type Limits = {
  readonly pledgeDollarsMin: number;
  readonly pledgeDollarsMax: number;
  readonly pledgeDollarsDefault: number;
  readonly quickDollars: readonly number[];
  readonly billingDays: readonly ("current" | "1" | "28")[];
  readonly giftCentsMin: number;
  readonly giftCentsMax: number;
  readonly passwordMin: number;
  readonly passwordMax: number;
  readonly nameMax: number;
};

/** A code from an email, and what its address chooses; without a choice, nothing changes. */
export type LinkedChoice = {
  readonly code: string;
  readonly choice?: EmailChoice | null;
};

/** A version in a list; its languages are those that readers get, also from earlier ones. */
export type ListedVersion = {
  readonly text: "terms" | "privacy";
  readonly version: number;
  readonly from: string;
  readonly until: string | null;
  readonly status: "in force" | "upcoming" | "earlier" | "withdrawn";
  readonly languages: readonly string[];
  readonly why: string;
};

/** A passkey that waits for an admin. */
export type MadePasskey = {
  readonly words: string;
  readonly fingerprint: string;
};

/** A code from an email. */
export type MailedCode = {
  readonly code: string;
};

/** A measure beside its newest value. */
export type MeasuredResult = {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly baseline: number;
  readonly target: number;
  readonly dueOn: string;
  readonly actual: number | null;
  readonly measuredOn: string | null;
  readonly state: "open" | "reached" | "missed" | "overdue";
  readonly costPerUnitCents: number | null;
  readonly note: string;
};

/** A measured value; digits with a decimal point. */
export type MeasuredValue = {
  readonly measure: string;
  readonly value: string;
};

/** A year's money, each fund's part of it, and the plan if it is published. */
export type MemberBudget = {
  readonly year: number;
  readonly available: number;
  readonly allocated: number;
  readonly unallocated: number;
  readonly availableCents: number;
  readonly allocatedCents: number;
  readonly unallocatedCents: number;
  readonly spentCents: number;
  readonly heldCents: number;
  readonly funds: readonly FundLine[];
  readonly plan: readonly PlanRow[];
};

/** How many changemakers there are. */
export type MemberCount = {
  readonly success?: true;
  readonly total: number;
};

/** Where a member's money went. */
export type MemberTrace = {
  readonly organisation: string;
  readonly member: StatementMember;
  readonly period: ReportPeriod;
  readonly books: BooksMark;
  readonly contributions: readonly StatementLine[];
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly keptCents: number;
  readonly funds: Readonly<Partial<Record<Fund, TraceFund>>>;
  readonly earlierRefunds: readonly StatementReturn[];
  readonly receivedCents: number;
  readonly isHomeCurrency: boolean;
};

/** What was paid for a milestone, what is left of its cost, and its evidence. */
export type MilestoneMoney = {
  readonly id: string;
  readonly date: string;
  readonly title: string;
  readonly costCents: number;
  readonly images?: readonly string[];
  readonly completed?: boolean;
  readonly completedOn?: string;
  readonly evidence: readonly Evidence[];
  readonly original?: {
    readonly title?: string;
  };
  readonly paidCents: number;
  readonly leftCents: number;
};

/** The income of one month, gross, and the refunds in it. */
export type MonthLine = {
  readonly month: string;
  readonly pledgesCents: number;
  readonly giftsCents: number;
  readonly refundsCents: number;
};

/** A new passkey: its name, and what the browser answered. */
export type NewPasskey = {
  readonly name: string;
  readonly id: string;
  readonly clientData: string;
  readonly attestation: string;
};

/** A new password, with the code from the email. */
export type NewPassword = {
  readonly code: string;
  readonly newPassword: string;
  readonly confirmNewPassword: string;
};

/** An address to subscribe to the newsletter. */
export type NewsletterWish = {
  readonly email: string;
};

/** A future charge of the card. */
export type NextCharge = {
  readonly date: string;
  readonly amountCents: number;
};

/** How many members were not on the roll, by reason; those with an address reason had paid. */
export type OffRoll = {
  readonly payment: number;
  readonly address: number;
  readonly noAddress: number;
};

/** What the page of an invitation shows, and what the browser makes a passkey from. */
export type OpenInvitation = {
  readonly name: string;
  readonly role: "admin" | "bookkeeper" | "approver" | "editor" | "auditor" | "scheduler";
  readonly organisation: string;
  readonly invitedBy: string;
  readonly challenge: string;
  readonly host: string;
  readonly user: string;
};

/** A milestone that is not complete. */
export type OpenMilestone = {
  readonly id: string;
  readonly title: string;
  readonly dueOn: string;
};

/** A session of the desk. */
export type OpenedDesk = {
  readonly token: string;
  readonly operator: string;
  readonly roles: readonly ("admin" | "bookkeeper" | "approver" | "editor" | "auditor" | "scheduler")[];
  readonly expiresAt: string;
};

/** A milestone that should be done. */
export type OverdueMilestone = {
  readonly title: string;
  readonly dueOn: string;
};

/** A page of a long list, and the cursor of the next page. */
export type Page = {
  readonly items: readonly Transaction[];
  readonly next: string | null;
};

/** A public document of an entry and where it is read, or how many others are of a kind. */
export type PagePaper = {
  readonly kind: "invoice" | "receipt" | "contract" | "slip" | "minutes" | "other";
  readonly number: number;
  readonly path?: string;
};

/** How much of what was spent has a document, without fees of the provider and the bank. */
export type PaperFigures = {
  readonly fromCents: number;
  readonly spentCents: number;
  readonly documentedCents: number;
};

/** A passkey in the member's list. */
export type PasskeyLine = {
  readonly id: string;
  readonly name: string;
  readonly addedOn: string;
};

/** What the browser answered for signing in. */
export type PasskeySignIn = {
  readonly id: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
};

/** The account that a passkey is for. */
export type PasskeyUser = {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
};

/** A token for the device, which may sign in while others have to wait. */
export type PasswordSet = {
  readonly success?: true;
  readonly message: string;
  readonly device: string;
};

/** A payment of a member in the books. */
export type Payment = {
  readonly date: string;
  readonly kind: string;
  readonly amountCents: number;
  readonly returnedCents: number;
  readonly dispute: string;
  readonly entry: string;
};

/** How a member pays without a card; the code is for a SEPA transfer in euros. */
export type PaymentByOtherWay = {
  readonly way: "transfer" | "cash" | "mobile" | "cheque";
  readonly subscriptionAmount: number;
  readonly pledgeStatus: "incomplete" | "active" | "past_due" | "paused" | "canceled";
  readonly reference: string;
  readonly paidUntil: string | null;
  readonly mayVoteUntil: string | null;
  readonly details: string;
  readonly iban: string;
  readonly holder: string;
  readonly code: Code | null;
};

/** The payment provider. */
export type Payments = {
  readonly provider: "none" | "sandbox" | "stripe";
  readonly publishableKey: string | null;
};

/** Money paid to a project, a grant or a donation; negative if it was returned. */
export type Payout = {
  readonly date: string;
  readonly project: string;
  readonly title: string;
  readonly sample?: boolean;
  readonly account: string;
  readonly cents: number;
  readonly proposal?: string;
  readonly foreign?: ForeignAmount;
};

/** A line of a plan beside the books; income and expenses are both positive. */
export type PlanRow = {
  readonly section: string;
  readonly label: string;
  readonly sample?: boolean;
  readonly account: string;
  readonly fund: "projects" | "staff" | "marketing" | "other" | "committed" | null;
  readonly plannedCents: number | null;
  readonly actualCents: number;
  readonly differenceCents: number;
  readonly usedShare: number | null;
  readonly forecastCents: number;
};

/** A change of the pledge. */
export type PledgeChange = {
  readonly billingDay?: string | number | null;
  readonly paused?: boolean | null;
  readonly skipNext?: boolean | null;
  readonly canceled?: true | null;
  readonly paymentMethodId?: string | null;
  readonly subscriptionAmount?: number | string | null;
  readonly way?: "transfer" | "cash" | "mobile" | "cheque" | null;
};

/** The member with the changed pledge. */
export type PledgeChanged = {
  readonly success?: true;
  readonly message: string;
  readonly user: User;
};

/** The cardholder's bank must confirm. */
export type PledgeConfirmation = {
  readonly success?: true;
  readonly message: string;
  readonly user: User;
  readonly requiresAction?: true;
  readonly intentType: "payment" | "setup";
  readonly clientSecret: string;
};

/** The policy in force, and every earlier and later one. */
export type PolicyHistory = {
  readonly from: string;
  readonly weights: FundWeights;
  readonly feeWeights: FundWeights;
  readonly history: readonly FundPolicy[];
};

/** A member's profile. */
export type Profile = {
  readonly success?: true;
  readonly message: string;
  readonly user: User;
};

/** One change: the name, email, country, password, emails to get, or language. */
export type ProfileChange = {
  readonly firstname?: string | null;
  readonly lastname?: string | null;
  readonly email?: string | null;
  readonly newPassword?: string | null;
  readonly confirmNewPassword?: string | null;
  readonly country?: string | null;
  readonly notifications?: boolean | null;
  readonly emailChoice?: EmailChoice | null;
  readonly language?: string | null;
  readonly currentPassword?: string | null;
};

/** The number of completed milestones, and their total. */
export type Progress = {
  readonly done: number;
  readonly total: number;
};

/** The figures of a project's card. */
export type ProjectCard = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly location: string | null;
  readonly status: "Planning" | "In Progress" | "Complete";
  readonly category: "civic" | "water" | "healthcare" | "education" | "business" | "agriculture";
  readonly imageUrl: string | null;
  readonly summary: string;
  readonly completion: string | null;
  readonly progress: number;
  readonly fundingGoalCents: number | null;
  readonly capitalUsedCents: number;
  readonly sample: boolean;
  readonly original?: {
    readonly title?: string;
    readonly summary?: string;
    readonly completion?: string;
  };
  readonly language: string;
  readonly account: string;
  readonly lastStepOn: string | null;
};

/** The money that a passed vote committed, and what became of it. */
export type ProjectCommitment = {
  readonly goalCents: number;
  readonly heldCents: number;
  readonly paidCents: number;
  readonly releasedCents: number;
  readonly queuedCents: number;
  readonly releases: readonly Release[];
};

/** Why a project is late, as its page shows it. */
export type ProjectDelay = {
  readonly silentSince: string | null;
  readonly overdue: readonly OverdueMilestone[];
};

/** A project with its vote, money and updates. */
export type ProjectPage = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly location: string | null;
  readonly status: "Planning" | "In Progress" | "Complete";
  readonly category: "civic" | "water" | "healthcare" | "education" | "business" | "agriculture";
  readonly imageUrl: string | null;
  readonly completion: string | null;
  readonly progress: number;
  readonly summary: string;
  readonly fundingGoalCents: number | null;
  readonly capitalUsedCents: number;
  readonly account: string;
  readonly proposal?: string;
  readonly story: string;
  readonly milestones: readonly MilestoneMoney[];
  readonly measures: readonly MeasuredResult[];
  readonly measurements?: readonly {
    readonly measure: string;
    readonly value: number;
    readonly date: string;
    readonly note?: string;
    readonly original?: {
      readonly note?: string;
    };
  }[];
  readonly sample: boolean;
  readonly original?: {
    readonly title?: string;
    readonly summary?: string;
    readonly completion?: string;
  };
  readonly language: string;
  readonly lastStepOn: string | null;
  readonly updates: readonly {
    readonly id: string;
    readonly project: string;
    readonly title: string;
    readonly author: string;
    readonly date: string;
    readonly content: string;
    readonly milestone?: string;
    readonly images?: readonly string[];
    readonly place?: string;
    readonly sample?: boolean;
    readonly original?: {
      readonly title?: string;
      readonly author?: string;
      readonly content?: string;
      readonly place?: string;
    };
    readonly language: string;
  }[];
  readonly late: ProjectDelay | null;
  readonly commitment: ProjectCommitment | null;
  readonly payouts: readonly ProjectPayout[];
  readonly paidAbroad: readonly ForeignSum[];
  readonly paidCents: number;
  readonly vote: ProjectVote | null;
};

/** A payment to a project in the books; negative if it was returned. */
export type ProjectPayout = {
  readonly entry: string;
  readonly index: number;
  readonly date: string;
  readonly cents: number;
  readonly proposal: string | null;
  readonly milestone: string | null;
  readonly foreign?: ForeignAmount;
};

/** The progress of a project. */
export type ProjectProgress = {
  readonly slug: string;
  readonly title: string;
  readonly sample?: boolean;
  readonly status: string;
  readonly milestones: Progress;
  readonly paidCents: number;
  readonly paidInPeriodCents: number;
  readonly results: readonly MeasuredResult[];
};

/** The vote that funds a project. */
export type ProjectVote = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly status: string;
  readonly endDate: string;
  readonly tally: VoteCounts;
};

/** Joining with a way to pay other than a card. */
export type Promise = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly password: string;
  readonly country: string;
  readonly notifications?: boolean;
  readonly privacyPolicy?: boolean;
  readonly contribution: number | string;
  readonly language?: string | null;
  readonly way: "transfer" | "cash" | "mobile" | "cheque";
};

/** A one-time gift that is paid without a card. */
export type PromisedGift = {
  readonly amountCents: number;
  readonly email: string;
  readonly name?: string;
  readonly language?: string | null;
  readonly way: "transfer" | "cash" | "mobile" | "cheque";
};

/** The hashes of a Merkle proof. */
export type Proof = {
  readonly first: number;
  readonly size: number;
  readonly root: string;
  readonly leaf: string | null;
  readonly proof: readonly string[];
};

/** A proposal (spec §3), in the reader's language as far as it has translations. */
export type Proposal = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly endDate: string;
  readonly category: "civic" | "water" | "healthcare" | "education" | "business" | "agriculture";
  readonly country: string;
  readonly countryCode: string;
  readonly fundingGoalCents: number;
  readonly summary: string;
  readonly submitters: readonly {
    readonly name: string | null;
    readonly linkedinUrl: string;
    readonly image: string | null;
  }[];
  readonly storySections: string;
  readonly implementation: string;
  readonly budgetList: readonly {
    readonly description: string;
    readonly amountCents: number;
    readonly original?: {
      readonly description?: string;
    } | null;
    readonly amount: number;
  }[];
  readonly metrics: string | readonly string[];
  readonly measures: readonly {
    readonly id?: string;
    readonly name: string;
    readonly unit: string;
    readonly baseline: number;
    readonly target: number;
    readonly by: string;
    readonly costPerUnit?: boolean;
    readonly original?: {
      readonly name?: string;
      readonly unit?: string;
    } | null;
  }[];
  readonly figures?: "live" | "at-close";
  readonly sample?: boolean;
  readonly original?: {
    readonly title?: string;
    readonly summary?: string;
    readonly storySections?: string;
    readonly implementation?: string;
    readonly metrics?: string | readonly string[];
  } | null;
  readonly language: string;
  readonly _id: string;
  readonly __v?: number;
  readonly fundingGoal: number;
  readonly status: "open" | "passed" | "rejected" | "withdrawn" | "funded";
  readonly upvotePercentage: number | null;
  readonly downvotePercentage: number | null;
  readonly votes: number | null;
  readonly tally: VoteCounts;
  readonly openedAt?: string | null;
  readonly decidedAt?: string | null;
  readonly keyDestroyedAt?: string | null;
  readonly result?: "passed" | "rejected" | null;
  readonly offRoll?: OffRoll | null;
  readonly withdrawal?: Withdrawal | null;
  readonly corrections: readonly Correction[];
  readonly project?: string | null;
  readonly releases?: readonly Release[] | null;
  readonly userVote?: "voted" | null;
};

/** One proposal, its result and its payouts. */
export type ProposalRecord = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly sample?: boolean;
  readonly status: string;
  readonly endDate: string;
  readonly goalCents: number;
  readonly tally: FinalCounts | null;
  readonly heldCents: number;
  readonly queuedCents: number;
  readonly paidCents: number;
  readonly releasedCents: number;
  readonly payouts: readonly Payout[];
};

/** What was spent on a purpose by each fund; `committed` is counted with projects. */
export type PurposeLine = {
  readonly label: string;
  readonly fundCents: Readonly<Partial<Record<Fund, number>>>;
  readonly cents: number;
};

/** The password, when the sign-in is old. */
export type Reauthentication = {
  readonly currentPassword?: string | null;
};

/** A voter's receipt: the ballot, and the signed promise to list it in the log. */
export type Receipt = {
  readonly leaf: string;
  readonly leafBytes: string;
  readonly proposal: string;
  readonly listedBy: string;
  readonly key: string;
  readonly signature: string;
  readonly nonce: string;
  readonly tracker: string;
};

/** Money received by kind, before refunds. */
export type Receipts = {
  readonly pledges: number;
  readonly gifts: number;
  readonly grants: number;
  readonly other: number;
  readonly total: number;
};

/** The same for a refusal, with its reason. */
export type Refusal = {
  readonly statement: string;
  readonly authenticatorData: string;
  readonly clientData: string;
  readonly signature: string;
  readonly why: string;
};

/** Why an act is refused; without it, the act is approved. */
export type RefusalReason = {
  readonly why?: string | null;
};

/** The three steps of joining with a card. */
export type Registration = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly password: string;
  readonly country: string;
  readonly notifications?: boolean;
  readonly privacyPolicy?: boolean;
  readonly contribution: number | string;
  readonly language?: string | null;
  readonly billingDay: string | number;
  readonly paymentMethodId: string;
};

/** A part of a proposal's goal that was released. */
export type Release = {
  readonly day: string;
  readonly cents: number;
  readonly reason: string;
  readonly signers: readonly string[];
  readonly leaf: number;
};

/** The site that a passkey is for. */
export type RelyingParty = {
  readonly id: string;
  readonly name: string;
};

/** The days a report covers, both ends included. */
export type ReportPeriod = {
  readonly from: string;
  readonly to: string;
  readonly until?: string;
};

/** The browser's options for signing in with a passkey. */
export type RequestOptions = {
  readonly challenge: string;
  readonly timeout: number;
  readonly rpId: string;
  readonly allowCredentials?: readonly Credential[];
  readonly userVerification: string;
};

/** A payment in the sample trace. */
export type SamplePayment = {
  readonly date: string;
  readonly account: string;
  readonly project: string;
  readonly sample?: boolean;
  readonly cents: number;
};

/** A contribution without its giver, and what it paid for. */
export type SampleTrace = {
  readonly month: string;
  readonly cents: number;
  readonly runningCents: number;
  readonly paid: readonly SamplePayment[];
};

/** A witness of the log; without a time it has not signed the newest witnessed checkpoint. */
export type SeenBy = {
  readonly name: string;
  readonly key: string;
  readonly seenAt: string | null;
};

/** A claim; its photos follow in pieces, at the address of a report's. */
export type SentClaim = {
  readonly currency: string;
  readonly amount: string;
  readonly cost?: string;
  readonly rateSource?: string;
  readonly spentOn: string;
  readonly shop: string;
  readonly purpose: string;
  readonly repayTo: string;
  readonly note?: string;
  readonly again?: boolean;
  readonly writtenAt?: number | null;
  readonly photos: readonly AnnouncedPhoto[];
};

/** How far a photo has arrived. */
export type SentPhoto = {
  readonly sha256: string;
  readonly size: number;
  readonly received: number;
  readonly fault: string;
};

/** What the server has of a report or claim, and what became of it. */
export type SentReport = {
  readonly key: string;
  readonly title: string;
  readonly state: "arriving" | "waiting" | "published" | "refused" | "approved" | "paid";
  readonly receivedOn: string;
  readonly reason: string;
  readonly photos: readonly SentPhoto[];
  readonly currency: string;
  readonly amount: string;
};

/** The public settings of the organisation. */
export type Settings = {
  readonly organisation: string;
  readonly legalName: string | null;
  readonly siteUrl: string;
  readonly payments: Payments;
  readonly cardFee: CardFee;
  readonly ways: readonly ("transfer" | "cash" | "mobile" | "cheque")[];
  readonly currency: string;
  readonly donateUrl: string | null;
  readonly contactEmail: string | null;
  readonly chatUrl: string | null;
  readonly social: Readonly<Record<string, string>>;
  readonly fundPolicy: FundPolicy;
  readonly voteRule: VoteRule;
  readonly today: string;
  readonly limits: Limits;
};

/** A part of a whole: more than 0 and at most 1. */
export type Share = {
  readonly num: number;
  readonly den: number;
};

/** An email address, a password, and the token of a device that signed in before. */
export type SignIn = {
  readonly email: string;
  readonly password: string;
  readonly device?: string | null;
};

/** One payment of a member; `refunded_cents` went back within the period. */
export type StatementLine = {
  readonly date: string;
  readonly kind: string;
  readonly reference: string;
  readonly amountCents: number;
  readonly refundedCents: number;
  readonly feeCents: number | null;
};

/** The member of a statement. */
export type StatementMember = {
  readonly key: string;
  readonly name: string;
};

/** Money of an earlier payment that went back to the member; negative if it came back to us. */
export type StatementReturn = {
  readonly date: string;
  readonly paidOn: string;
  readonly kind: string;
  readonly reference: string;
  readonly cents: number;
};

/** Every figure of the home and about pages. */
export type Statistics = {
  readonly changemakers: number;
  readonly contributions: number;
  readonly contributionsCents: number;
  readonly monthlyDonationCents: number;
  readonly cashAtHandCents: number;
  readonly monthlyFixedCostCents: number;
  readonly cashDeployedCents: number;
  readonly donations: number;
  readonly donationsCents: number;
  readonly projects: number;
  readonly countries: number;
  readonly pledgesCents: number;
  readonly donatedCents: number;
  readonly votedOnCents: number;
  readonly claims: readonly {
    readonly id: string;
    readonly figure: string;
    readonly label: string;
    readonly amountCents?: number;
    readonly count?: number;
    readonly sample?: boolean;
    readonly original?: {
      readonly figure?: string;
      readonly label?: string;
    };
    readonly language: string;
  }[];
};

/** What a passkey is asked to sign. */
export type ToSign = {
  readonly statement: string;
  readonly challenge: string;
  readonly host: string;
};

/** The checklist after the change. */
export type Todo = {
  readonly success?: true;
  readonly message: string;
  readonly todo: readonly TodoItem[];
};

/** Whether an item of the checklist is done. */
export type TodoChange = {
  readonly completed: boolean;
};

/** A line of the member's checklist. */
export type TodoItem = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly completed: boolean;
  readonly icon: string;
  readonly actionText: string;
};

/** The trace of one spent contribution, if there is one. */
export type TraceAnswer = {
  readonly trace: SampleTrace | null;
};

/** How a member's money in one fund was used: paid, waiting or refunded. */
export type TraceFund = {
  readonly receivedCents: number;
  readonly refundedCents: number;
  readonly waitingCents: number;
  readonly paid: readonly TracePayment[];
  readonly otherRefundsCents: number;
};

/** The part of an expense that a member's money paid. */
export type TracePayment = {
  readonly account: string;
  readonly project: string;
  readonly sample?: boolean;
  readonly entry: string;
  readonly date: string;
  readonly cents: number;
  readonly wholeCents?: number;
  readonly foreign?: ForeignAmount;
};

/** Money in or out, with the part of each fund. */
export type Transaction = {
  readonly foreign?: ForeignAmount;
  readonly id: string;
  readonly date: string;
  readonly description: string;
  readonly kind: string;
  readonly type: string;
  readonly amountCents: number;
  readonly funds: Readonly<Partial<Record<Fund, number>>>;
  readonly reference: string | null;
  readonly details: TransactionDetails;
};

/** What a transaction is about: an account, a reference, and the books' text. */
export type TransactionDetails = {
  readonly category: string;
  readonly reference: string | null;
  readonly description: string;
};

/** A member as the website shows them. */
export type User = {
  readonly id: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly emailConfirmed: boolean;
  readonly pendingEmail: string | null;
  readonly emailStoppedOn: string | null;
  readonly country: string;
  readonly isHomeCurrency: boolean;
  readonly language: string;
  readonly subscriptionAmount: number;
  readonly billingDay: "current" | "1" | "28" | null;
  readonly pledgeStatus: "incomplete" | "active" | "past_due" | "paused" | "canceled" | null;
  readonly way: "card" | "transfer" | "cash" | "mobile" | "cheque" | null;
  readonly nextChargeOn: string | null;
  readonly nextCharges: readonly NextCharge[];
  readonly skipsOn: string | null;
  readonly dueCents: number | null;
  readonly retriesOn: readonly string[];
  readonly mayVote: boolean;
  readonly mayVoteFrom: string | null;
  readonly mayVoteUntil: string | null;
  readonly voteHeldSince: string | null;
  readonly memberSince: string;
  readonly notifications: boolean;
  readonly emailChoice: "at-once" | "monthly" | "votes" | "nothing";
  readonly votes: Readonly<Record<string, "voted">>;
  readonly todo: readonly TodoItem[];
};

/** A vote; the nonce identifies a retry. */
export type Vote = {
  readonly id: string;
  readonly voteType: "upvote" | "downvote";
  readonly nonce?: string | null;
  readonly padding?: string;
};

/** The counts of a vote for the API and the CLI; percentages are of what the rule measures by. */
export type VoteCounts = {
  readonly yes: number | null;
  readonly no: number | null;
  readonly void: number;
  readonly roll: number;
  readonly notVoted: number | null;
  readonly needed: number | null;
  readonly upvotePercentage: number | null;
  readonly downvotePercentage: number | null;
  readonly rule: VoteRule;
  readonly passes: boolean | null;
  readonly final: boolean;
};

/** The money that a passed vote committed. */
export type VoteMoney = {
  readonly proposal: string;
  readonly goalCents: number;
  readonly heldCents: number;
  readonly paidCents: number;
};

/** When a vote passes; by default with yes votes of one half of the roll (spec §9). */
export type VoteRule = {
  readonly num: number;
  readonly den: number;
  readonly of: "roll" | "votes";
  readonly more?: boolean;
  readonly quorum?: Share;
};

/** The counted vote. */
export type Voted = {
  readonly success?: true;
  readonly message: string;
  readonly user_vote_status?: "voted";
  readonly receipt: Receipt;
};

/** A proposal on which the member has voted. */
export type VotedOn = {
  readonly proposal: string;
  readonly slug: string;
  readonly title: string;
  readonly status: string;
  readonly endDate: string;
  readonly vote: "voted";
};

/** A document of an act that waits; ``other_entries`` are the entries that have it already. */
export type WaitingDocument = {
  readonly sha256: string;
  readonly kind: "invoice" | "receipt" | "contract" | "slip" | "minutes" | "other";
  readonly mediaType: string;
  readonly bytes: number;
  readonly otherEntries: readonly string[];
};

/** Why a vote was withdrawn, and with how many ballots; null if an earlier version did it. */
export type Withdrawal = {
  readonly reason: string;
  readonly ballots: number | null;
};

/** How many witnesses have seen the log, how many are enough, and when they signed. */
export type Witnesses = {
  readonly size: number;
  readonly seen: number;
  readonly of: number;
  readonly quorum: number;
  readonly newest: string | null;
  readonly witnesses: readonly SeenBy[];
};

/** The body and the answer of each call. */
export type Calls = {
  "POST /agree-address": { readonly body: MailedCode; readonly answer: Done };
  "GET /billing": { readonly answer: BillingPage };
  "GET /config": { readonly answer: Settings };
  "POST /confirm-address": { readonly body: MailedCode; readonly answer: Done };
  "GET /countries": { readonly answer: readonly Country[] };
  "POST /desk/invitation": { readonly body: MailedCode; readonly answer: OpenInvitation };
  "POST /desk/invitation/accept": { readonly body: InvitationPasskey; readonly answer: MadePasskey };
  "POST /desk/session": { readonly body: DeskSignature; readonly answer: OpenedDesk };
  "POST /desk/session/options": { readonly answer: ToSign };
  "GET /desk/waiting": { readonly answer: Desk };
  "GET /desk/waiting/{act}": { readonly answer: DeskAct };
  "POST /desk/waiting/{act}/approve": { readonly body: DeskSignature; readonly answer: Decision };
  "POST /desk/waiting/{act}/options": { readonly body?: RefusalReason; readonly answer: ToSign };
  "POST /desk/waiting/{act}/refuse": { readonly body: Refusal; readonly answer: Decision };
  "GET /donations": { readonly answer: Donations };
  "POST /email-exists": { readonly body: Credentials; readonly answer: Available };
  "GET /emails": { readonly answer: EmailKinds };
  "POST /emails/choice": { readonly body: LinkedChoice; readonly answer: ChosenEmails };
  "GET /events": { readonly answer: readonly {
    readonly id: string;
    readonly title: string;
    readonly date: string;
    readonly time?: string;
    readonly endDate?: string;
    readonly endTime?: string;
    readonly place?: string;
    readonly link?: string;
    readonly description?: string;
    readonly sample?: boolean;
    readonly original?: {
      readonly title?: string;
      readonly place?: string;
      readonly description?: string;
    };
    readonly language: string;
  }[] };
  "GET /faqs": { readonly answer: readonly {
    readonly id: string;
    readonly question: string;
    readonly answer: string;
    readonly onHome: boolean;
    readonly sample?: boolean;
    readonly original?: {
      readonly question?: string;
      readonly answer?: string;
    };
    readonly language: string;
  }[] };
  "GET /field": { readonly answer: FieldPage };
  "PUT /field/claims/{key}": { readonly body: SentClaim; readonly answer: SentReport };
  "PUT /field/reports/{key}": { readonly body: FieldReport; readonly answer: SentReport };
  "PUT /field/reports/{key}/photos/{photo}": { readonly body: Blob; readonly answer: SentReport };
  "GET /follow": { readonly answer: Followed };
  "POST /gifts": { readonly body: Gift; readonly answer: GiftGiven | GiftConfirmation };
  "POST /gifts/promise": { readonly body: PromisedGift; readonly answer: GiftOnTheWay };
  "GET /grants": { readonly answer: readonly Grant[] };
  "GET /impact": { readonly answer: ImpactReport };
  "GET /ledger/budget": { readonly answer: MemberBudget | Budget };
  "GET /ledger/budget/{row}": { readonly answer: BudgetRow };
  "GET /ledger/entries/{entry}": { readonly answer: EntryPage };
  "GET /ledger/policy": { readonly answer: PolicyHistory };
  "GET /ledger/transactions": { readonly answer: Page };
  "GET /legal/{text}": { readonly answer: LegalAnswer };
  "POST /newsletter": { readonly body: NewsletterWish; readonly answer: Done };
  "POST /newsletter/confirm": { readonly body: MailedCode; readonly answer: Done };
  "POST /newsletter/unsubscribe": { readonly body: MailedCode; readonly answer: Done };
  "GET /open-data/datapackage.json": { readonly answer: Readonly<Record<string, unknown>> };
  "GET /openapi.json": { readonly answer: Readonly<Record<string, unknown>> };
  "POST /partners/confirm": { readonly body: MailedCode; readonly answer: Done };
  "GET /projects": { readonly answer: readonly ProjectCard[] };
  "GET /projects/{name}": { readonly answer: ProjectPage };
  "POST /proofs/ballot": { readonly body: BallotQuestion; readonly answer: BallotProof };
  "GET /proofs/checkpoint": { readonly answer: Checkpoint };
  "GET /proofs/consistency": { readonly answer: Proof };
  "GET /proofs/inclusion": { readonly answer: Proof };
  "GET /proofs/witnesses": { readonly answer: Witnesses };
  "GET /regions": { readonly answer: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: "Active" | "Partial" | "Not yet";
    readonly sample?: boolean;
    readonly original?: {
      readonly name?: string;
    };
    readonly language: string;
  }[] };
  "POST /register": { readonly body: Registration; readonly answer: Joined | ConfirmationNeeded };
  "POST /register/promise": { readonly body: Promise; readonly answer: Joined };
  "GET /roadmap": { readonly answer: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: "Complete" | "In Progress";
    readonly description?: string;
    readonly completedOn?: string;
    readonly measure?: "changemakers" | "monthlyIncome";
    readonly targetCount?: number;
    readonly targetCents?: number;
    readonly sample?: boolean;
    readonly original?: {
      readonly title?: string;
      readonly description?: string;
    };
    readonly language: string;
  }[] };
  "GET /sample-trace": { readonly answer: TraceAnswer };
  "POST /sandbox/confirm": { readonly body: Confirmation; readonly answer: Done };
  "GET /stats": { readonly answer: Statistics };
  "POST /stop-pledge": { readonly body: MailedCode; readonly answer: Done };
  "GET /team": { readonly answer: readonly {
    readonly id: string;
    readonly group: "trustees" | "operations";
    readonly name: string;
    readonly role: string;
    readonly image?: string;
    readonly linkedinUrl?: string;
    readonly sample?: boolean;
    readonly original?: {
      readonly role?: string;
    };
    readonly language: string;
  }[] };
  "POST /undo-change": { readonly body: MailedCode; readonly answer: Done };
  "GET /user/all-contribution": { readonly answer: ContributionCount };
  "GET /user/all-users": { readonly answer: MemberCount };
  "GET /user/contributions": { readonly answer: readonly Payment[] };
  "DELETE /user/delete-account": { readonly body?: Closing; readonly answer: Done };
  "GET /user/export": { readonly answer: Readonly<Record<string, unknown>> };
  "POST /user/forgot-password": { readonly body: ForgottenPassword; readonly answer: Done };
  "GET /user/get-cash-overviews": { readonly answer: CashOverview };
  "GET /user/get-profile": { readonly answer: Profile };
  "GET /user/get-proposals": { readonly answer: readonly Proposal[] };
  "GET /user/impact": { readonly answer: MemberTrace };
  "POST /user/login": { readonly body: SignIn; readonly answer: KnownDevice };
  "POST /user/login/passkey": { readonly body: PasskeySignIn; readonly answer: KnownDevice };
  "POST /user/login/passkey/options": { readonly answer: RequestOptions };
  "POST /user/logout": { readonly answer: Done };
  "POST /user/logout-everywhere": { readonly answer: Done };
  "GET /user/passkeys": { readonly answer: readonly PasskeyLine[] };
  "POST /user/passkeys": { readonly body: NewPasskey; readonly answer: Done };
  "POST /user/passkeys/options": { readonly body?: Reauthentication; readonly answer: CreationOptions };
  "DELETE /user/passkeys/{passkey}": { readonly answer: Done };
  "GET /user/payment": { readonly answer: PaymentByOtherWay };
  "PUT /user/pledge": { readonly body: PledgeChange; readonly answer: PledgeChanged | PledgeConfirmation };
  "POST /user/pledge/pay": { readonly answer: PledgeChanged | PledgeConfirmation };
  "POST /user/reset-password": { readonly body: NewPassword; readonly answer: PasswordSet };
  "POST /user/reset-password/check": { readonly body: MailedCode; readonly answer: Done };
  "GET /user/sessions": { readonly answer: readonly DeviceLine[] };
  "DELETE /user/sessions/{session}": { readonly answer: Done };
  "PUT /user/todo/{item}": { readonly body: TodoChange; readonly answer: Todo };
  "PUT /user/update-profile": { readonly body: ProfileChange; readonly answer: Done };
  "PUT /user/update-subscription": { readonly body: AmountChange; readonly answer: AmountChanged };
  "GET /user/votes": { readonly answer: readonly VotedOn[] };
  "POST /user/votes": { readonly body: Vote; readonly answer: Voted };
};
