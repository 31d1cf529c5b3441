import {
  addressTypedData,
  signedBy,
  signerOf,
  voteTypedData,
} from "../../../services/workspace/dao/votes/typed-data.ts";

// The worked example of EIP-712 itself: key keccak256("cow").
const MAIL = {
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
    Person: [
      { name: "name", type: "string" },
      { name: "wallet", type: "address" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "to", type: "Person" },
      { name: "contents", type: "string" },
    ],
  },
  primaryType: "Mail",
  domain: {
    name: "Ether Mail",
    version: "1",
    chainId: 1,
    verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
  },
  message: {
    from: { name: "Cow", wallet: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826" },
    to: { name: "Bob", wallet: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" },
    contents: "Hello, Bob!",
  },
};
const R = "4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d";
const S = "07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562";
const COW = "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826";

it("finds the digest and the signer that EIP-712 publishes", async () => {
  expect(await signerOf(MAIL, `0x${R}${S}1c`)).toEqual({
    digest: "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2",
    signer: COW,
  });
});

it("finds another signer, or none, where anything differs", async () => {
  expect(
    (await signerOf({ ...MAIL, message: { ...MAIL.message, contents: "Hello, Eve!" } }, `0x${R}${S}1c`)).signer,
  ).not.toBe(COW);
  expect((await signerOf({ ...MAIL, domain: { ...MAIL.domain, chainId: 5 } }, `0x${R}${S}1c`)).signer).not.toBe(COW);
  await expect(signerOf(MAIL, `0x${"00".repeat(64)}1b`)).rejects.toMatchObject({
    code: 422,
    type: "SIGNATURE_INVALID",
  });
  await expect(signerOf(MAIL, `0x${R}${S}09`)).rejects.toMatchObject({ type: "SIGNATURE_INVALID" });
  expect(await signedBy([`0x${"12".repeat(20)}`, COW], MAIL as never, `0x${R}${S}1c`)).toMatchObject({ signer: COW });
  await expect(signedBy([`0x${"12".repeat(20)}`], MAIL as never, `0x${R}${S}1c`)).rejects.toMatchObject({
    type: "SIGNATURE_INVALID",
  });
});

it("tells one DAO, one vote and one choice from another", async () => {
  const vote = { daoId: "d1", proposalId: "p1", voter: "ann", changes: 0 };
  const digests = await Promise.all(
    [
      voteTypedData(vote, "basic", "for"),
      voteTypedData(vote, "basic", "against"),
      voteTypedData({ ...vote, daoId: "d2" }, "basic", "for"),
      voteTypedData({ ...vote, proposalId: "p2" }, "basic", "for"),
      voteTypedData({ ...vote, voter: "ben" }, "basic", "for"),
      voteTypedData({ ...vote, changes: 1 }, "basic", "for"),
      addressTypedData("d1", "ann", COW),
      voteTypedData(vote, "ranked", [0, 1]),
      voteTypedData(vote, "ranked", [1, 0]),
    ].map(async (data) => (await signerOf(data, `0x${R}${S}1c`)).digest),
  );
  expect(new Set(digests).size).toBe(digests.length);
});
