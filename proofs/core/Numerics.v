(* Numbers are cut, added, multiplied, and roots are taken: what lies within the numbers before lies
   within the number after. csrc/numerics.c and numerics.h; the proofs in prose are those of
   spec/core/{numerics,length,bounds,ties}.md. Each theorem stands beside one that says that it
   fails with a slack that is one less. *)
Require Import Reals ZArith Lra Lia Psatz Bool.
From Flocq Require Import Core.
From Rankspec.core Require Import Words Model Enclosures.
Open Scope Z_scope.

(** * Cutting *)

(** Of a word of 128 bits what is dropped of low and of slack is less than two units together. *)
Lemma two_units l s h : 0 <= h -> 0 <= s -> l + s <= (shr l h + (shr s h + 2)) * 2 ^ h.
Proof. intros H S; destruct (shr_spec l h H) as (r & E & R), (shr_spec s h H) as (t & F & T);
  nia. Qed.
Lemma shr_mul l h : 0 <= h -> shr l h * 2 ^ h <= l.
Proof. intros H; destruct (shr_spec l h H) as (r & E & R); lia. Qed.

Lemma excess_range x : words x -> 0 < bits (low x) - 120 -> bits (low x) - 120 <= 8.
Proof. intros [[A B] _] H; pose proof (bits_le (low x) 128); lia. Qed.

(** RS-NUM-7: longer ones are cut first, and what is cut is added to the error bound *)
Theorem narrowed_holds x r : words x -> holds x r -> holds (narrowed x) r.
Proof.
  intros W H; pose proof (excess_range x W) as X; destruct W as [[L _] [S S']].
  unfold narrowed, narrowed_by; destruct (Z.ltb_spec 0 (bits (low x) - 120)) as [E|]; [|exact H];
    specialize (X E).
  set (e := bits (low x) - 120) in *; apply (holds_within x _ e); cbn [low slack exponent];
    try lia; [apply shr_mul;
    lia| |exact H].
  pose proof (shr_lt (slack x) 128 e ltac:(lia) ltac:(lia)); pose proof (pow_le (128 - e) 127
    ltac:(lia)).
  unfold add; rewrite wrap_small; [apply two_units; lia|]; pose proof (shr_nonneg (slack x) e);
    unfold word; lia.
Qed.
(** RS-NUM-7: of at most 120 bits *)
Theorem narrowed_bits x : words x -> 0 <= low (narrowed x) < 2 ^ 120 /\ word (slack (narrowed x)) /\
  exponent x <= exponent (narrowed x) <= exponent x + 8.
Proof.
  intros W; pose proof (excess_range x W) as X; destruct W as [[L L'] S].
  unfold narrowed, narrowed_by; destruct (Z.ltb_spec 0 (bits (low x) - 120)) as [E|E];
    cbn [low slack exponent].
  - specialize (X E); split; [|split; [apply word_wrap|lia]]; split; [apply shr_nonneg; lia|].
    pose proof (bits_lt (low x) L) as B; pose proof (shr_lt (low x) (bits (low x)) (bits (low x) -
      120) ltac:(lia) ltac:(lia)).
    replace (bits (low x) - (bits (low x) - 120)) with 120 in H by lia; exact H.
  - pose proof (bits_lt_pow (low x) 120 L ltac:(lia)); repeat split; try lia; apply S.
Qed.
(** A slack of one less, or 1 in the place of 2, is too little: where two bits are cut, all ones. *)
Theorem narrowed_must_fail : ~ (forall x r, words x -> holds x r -> holds (less (narrowed x)) r).
Proof.
  intros F; destruct (not_held (Number (2 ^ 122 - 1) 3 0) (less (narrowed (Number (2 ^ 122 - 1) 3
    0))) 2) as (r & A & B);
    [lia|reflexivity|cbn; lia|vm_compute; reflexivity|]; apply B, F; [split; split; cbn;
      lia|exact A].
Qed.
(** 2 is generous where one bit is cut, or where the slack is 0: 1 does. *)
Theorem narrowed_by_1 x r : words x -> bits (low x) = 121 \/ slack x = 0 -> holds x r -> holds
  (narrowed_by 1 x) r.
Proof.
  intros W O H; pose proof (excess_range x W) as X; destruct W as [[L _] [S S']].
  unfold narrowed_by; destruct (Z.ltb_spec 0 (bits (low x) - 120)) as [E|]; [|exact H];
    specialize (X E).
  set (e := bits (low x) - 120) in *; apply (holds_within x _ e); cbn [low slack exponent];
    try lia; [apply shr_mul;
    lia| |exact H].
  pose proof (shr_lt (slack x) 128 e ltac:(lia) ltac:(lia)); pose proof (pow_le (128 - e) 127
    ltac:(lia)).
  unfold add; rewrite wrap_small by (pose proof (shr_nonneg (slack x) e); unfold word; lia).
  destruct (shr_spec (low x) e ltac:(lia)) as (r0 & E0 & R), (shr_spec (slack x) e ltac:(lia)) as
    (t & F & T).
  destruct O as [O|O]; [replace e with 1 in * by lia; cbn in *; lia|].
  rewrite O in *; replace (shr 0 e) with 0 in * by reflexivity; nia.
Qed.

(** with_exponent() leaves room: to the left nothing is lost of 128 bits. *)
Definition room x e := words x /\ (e < exponent x -> is_zero x = false ->
  exists m, 0 <= m /\ m + (exponent x - e) <= 128 /\ low x < 2 ^ m /\ slack x < 2 ^ m).

(** RS-NUM-19: a number that has to be cut by h bits *)
Theorem with_exponent_holds x e r : room x e -> holds x r -> holds (with_exponent x e) r.
Proof.
  intros [W O] H; destruct W as [[L L'] [S S']] eqn:WW; unfold with_exponent, with_exponent_by.
  destruct (is_zero x) eqn:Z0.
  { rewrite andb_false_r; cbn [orb]; apply (zero_holds x) in H; [|exact Z0|exact W].
    rewrite H; unfold holds; cbn; lra. }
  cbn [negb orb]; rewrite andb_true_r; destruct (Z.leb_spec (e - exponent x) 0) as [B|B].
  - destruct (Z.eq_dec e (exponent x)) as [->|N].
    { replace (- (exponent x - exponent x)) with 0 by lia; unfold shl;
      rewrite !Z.mul_1_r, !wrap_small by (unfold word; lia).
      destruct x; exact H. }
    destruct O as (m & M & M' & LM & SM); [lia|reflexivity|].
    apply (holds_finer x _ (- (e - exponent x))); cbn [low slack exponent]; try lia; [| |exact H];
      apply (shl_lt _ m); lia.
  - destruct (Z.ltb_spec 127 (e - exponent x)).
    + apply (holds_within x _ (e - exponent x)); cbn [low slack exponent]; try lia; [|exact H].
      pose proof (pow_le 128 (e - exponent x)); lia.
    + set (h := e - exponent x) in *; destruct ((slack x =? 0) && (shl (shr (low x) h) h =? low x))
      eqn:X.
      * apply andb_prop in X; destruct X as [X Y]; apply Z.eqb_eq in X, Y.
        apply (holds_within x _ h); cbn [low slack exponent]; try lia; [apply shr_mul;
          lia| |exact H].
        unfold shl in Y; rewrite wrap_small in Y; [lia|]; pose proof (shr_mul (low x) h);
          pose proof (shr_nonneg (low x) h).
        pose proof (pow_pos h); unfold word; nia.
      * apply (holds_within x _ h); cbn [low slack exponent]; try lia; [apply shr_mul;
        lia| |exact H].
        pose proof (shr_lt (slack x) 128 h ltac:(lia) ltac:(lia));
          pose proof (pow_le (128 - h) 127 ltac:(lia)).
        unfold add; rewrite wrap_small; [apply two_units; lia|];
          pose proof (shr_nonneg (slack x) h); unfold word; lia.
Qed.
Theorem with_exponent_must_fail : ~ (forall x e r, room x e -> holds x r -> holds (less
  (with_exponent x e)) r).
Proof.
  intros F; destruct (not_held (Number 3 3 0) (less (with_exponent (Number 3 3 0) 2)) 2) as (r & A
    & B);
    [lia|reflexivity|cbn; lia|vm_compute; reflexivity|]; apply B, F; [|exact A].
  split; [split; split; cbn; lia|cbn; lia].
Qed.
(** Nor is 1 enough for what is shifted out altogether: by 128 bits of two full words, which are
    nearly two units. *)
Theorem with_exponent_must_fail_beyond : ~ (forall x e r, words x -> 128 <= e - exponent x -> holds
  x r ->
  holds (with_exponent_by 2 1 x e) r).
Proof.
  intros F; pose (x := Number (2 ^ 128 - 1) 2 0).
  destruct (not_held x (with_exponent_by 2 1 x 128) 128) as (r & A & B); [lia|reflexivity|cbn;
    lia|vm_compute; reflexivity|].
  apply B, F; [split; split; cbn; lia|cbn; lia|exact A].
Qed.
(** 2 is generous for shifts above 128, and where low + slack is a word: 1 does there. *)
Theorem with_exponent_beyond_by_1 x e r : words x -> 129 <= e - exponent x \/ (128 <= e - exponent
  x /\ low x + slack x <= 2 ^
  128) ->
  holds x r -> holds (with_exponent_by 2 1 x e) r.
Proof.
  intros W O H; unfold with_exponent_by; destruct (is_zero x) eqn:Z0.
  { rewrite andb_false_r; cbn [orb]; apply (zero_holds x) in H; [|exact Z0|exact W].
    rewrite H; unfold holds; cbn; lra. }
  destruct W as [[L L'] [S S']]; cbn [negb orb]; rewrite andb_true_r.
  destruct (Z.leb_spec (e - exponent x) 0); [lia|]; destruct (Z.ltb_spec 127 (e - exponent x));
    [|lia].
  apply (holds_within x _ (e - exponent x)); cbn [low slack exponent]; try lia; [|exact H].
  destruct O as [O|[O M]]; [pose proof (pow_le 129 (e - exponent x))|pose proof (pow_le 128 (e -
    exponent x))]; lia.
Qed.

(** * Alignment, sums and differences *)

Lemma are_aligned_spec x y : words x -> words y -> are_aligned x y = true ->
  exponent x = exponent y /\ low x < 2 ^ 126 /\ slack x < 2 ^ 126 /\ low y < 2 ^ 126 /\ slack y < 2
    ^ 126.
Proof.
  intros [[A _] [B _]] [[C _] [D _]] H; unfold are_aligned in H; apply andb_prop in H;
    destruct H as [E F].
  apply Z.eqb_eq in E, F; split; [exact E|]; apply shr_0 in F; [|lia|repeat apply lor_nonneg;
    assumption].
  repeat (apply lor_lt in F; [destruct F as [F ?]|lia|repeat apply lor_nonneg;
    assumption|assumption]); auto.
Qed.

(** The bits of a number, in units of 2^0: where its highest bit stands *)
Definition top x := exponent x + bits (Z.lor (low x) (slack x)).
Lemma top_bits x : words x -> low x < 2 ^ bits (Z.lor (low x) (slack x)) /\ slack x < 2 ^ bits
  (Z.lor (low x) (slack x)).
Proof.
  intros [[A _] [B _]]; rewrite bits_lor by assumption; pose proof (bits_nonneg (low x));
    pose proof (bits_nonneg (slack x)).
  split; apply bits_lt_pow; lia.
Qed.
Lemma common_exponent_spec x y : words x -> words y -> let e := common_exponent x y in
  (is_zero x = false -> top x - 120 <= e) /\ (is_zero y = false -> top y - 120 <= e) /\
  (is_zero x = false \/ is_zero y = false -> Z.min (exponent x) (exponent y) <= e <= Z.max
    (exponent x) (exponent y) + 8).
Proof.
  intros WX WY; cbn zeta; unfold common_exponent, top; pose proof (top_bits x WX);
    pose proof (top_bits y WY).
  assert (bits (Z.lor (low x) (slack x)) <= 128) as BX.
  { destruct WX as [[] []]; rewrite bits_lor by assumption; pose proof (bits_le (low x) 128);
    pose proof (bits_le (slack x) 128); lia. }
  assert (bits (Z.lor (low y) (slack y)) <= 128) as BY.
  { destruct WY as [[] []]; rewrite bits_lor by assumption; pose proof (bits_le (low y) 128);
    pose proof (bits_le (slack y) 128); lia. }
  destruct (is_zero x) eqn:ZX; cbn zeta.
  - destruct (is_zero y) eqn:ZY; cbn zeta; rewrite Z.ltb_irrefl;
      destruct (Z.ltb_spec (exponent y + bits (Z.lor (low y) (slack y)) - 120) (exponent y + bits
        (Z.lor (low y) (slack y)) -
        120)); try lia;
      destruct (Z.ltb_spec (exponent y) (exponent y + bits (Z.lor (low y) (slack y)) - 120));
        repeat split; intros;
        try discriminate; try lia;
      destruct H3; discriminate || lia.
  - destruct (is_zero y) eqn:ZY; cbn zeta.
    + rewrite !Z.ltb_irrefl; destruct (Z.ltb_spec (exponent x) (exponent x + bits (Z.lor (low x)
      (slack x)) - 120));
      repeat split; intros; try discriminate; lia.
    + destruct (Z.ltb_spec (exponent x) (exponent y)); destruct (Z.ltb_spec (exponent y + bits
      (Z.lor (low y) (slack y)) - 120)
      (exponent x + bits (Z.lor (low x) (slack x)) - 120));
      repeat match goal with |- context [?a <? ?b] => destruct (Z.ltb_spec a b) end; repeat split;
        intros; try lia.
Qed.
Lemma room_of x e : words x -> (is_zero x = false -> top x - 120 <= e) -> room x e.
Proof.
  intros W T; split; [exact W|]; intros L Z; specialize (T Z);
    exists (bits (Z.lor (low x) (slack x))).
  unfold top in T; pose proof (bits_nonneg (Z.lor (low x) (slack x))); pose proof (top_bits x W);
    lia.
Qed.
Lemma with_exponent_bits x e : words x -> (is_zero x = false -> top x - 120 <= e) ->
  0 <= low (with_exponent x e) < 2 ^ 120 /\ 0 <= slack (with_exponent x e) <= 2 ^ 120 + 1 /\
    exponent (with_exponent x e) = e.
Proof.
  intros W T; pose proof (top_bits x W) as B; destruct W as [[L L'] [S S']]; unfold top in T.
  set (m := bits (Z.lor (low x) (slack x))) in *; pose proof (bits_nonneg (Z.lor (low x) (slack
    x))) as M; fold m in M.
  unfold with_exponent, with_exponent_by; destruct (is_zero x).
  { rewrite andb_false_r; cbn; lia. }
  specialize (T eq_refl); cbn [negb orb]; rewrite andb_true_r;
    destruct (Z.leb_spec (e - exponent x) 0) as [N|N];
    cbn [low slack exponent].
  - rewrite !(shl_lt _ m) by lia; pose proof (pow_pos (- (e - exponent x)) ltac:(lia)).
    set (f := 2 ^ (- (e - exponent x))) in *; assert (2 ^ m * f <= 2 ^ 120) by
      (unfold f; rewrite <- Z.pow_add_r by lia; apply pow_le; lia).
    assert (low x * f < 2 ^ m * f) by (apply Z.mul_lt_mono_pos_r; lia).
    assert (slack x * f < 2 ^ m * f) by (apply Z.mul_lt_mono_pos_r; lia).
    assert (0 <= low x * f) by (apply Z.mul_nonneg_nonneg; lia);
      assert (0 <= slack x * f) by (apply Z.mul_nonneg_nonneg; lia);
      lia.
  - destruct (Z.ltb_spec 127 (e - exponent x)); cbn [low slack exponent]; [lia|].
    assert (forall z, 0 <= z < 2 ^ m -> shr z (e - exponent x) < 2 ^ 120) as K.
    { intros z Z; destruct (Z.le_gt_cases m (e - exponent x)) as [Q|Q].
      - replace (shr z (e - exponent x)) with 0; [lia|]; symmetry; apply shr_0; [lia|lia|].
        pose proof (pow_le m (e - exponent x)); lia.
      - pose proof (shr_lt z m (e - exponent x) ltac:(lia) Z);
        pose proof (pow_le (m - (e - exponent x)) 120); lia. }
    pose proof (K (low x)); pose proof (K (slack x)); pose proof (shr_nonneg (low x) (e - exponent
      x)).
    pose proof (shr_nonneg (slack x) (e - exponent x)).
    destruct (_ && _); [lia|]; unfold add; rewrite wrap_small by (unfold word; lia); lia.
Qed.

(** Numbers that are aligned, with room for a sum of their words *)
Lemma align_spec x y : words x -> words y -> let (a, b) := align x y in
  exponent a = exponent b /\ (forall r, holds x r -> holds a r) /\ (forall r, holds y r -> holds b
    r) /\
  0 <= low a < 2 ^ 126 /\ 0 <= slack a < 2 ^ 126 /\ 0 <= low b < 2 ^ 126 /\ 0 <= slack b < 2 ^ 126.
Proof.
  intros WX WY; unfold align; destruct (are_aligned x y) eqn:E.
  { destruct (are_aligned_spec x y WX WY E) as (F & A & B & C & D);
    destruct WX as [[] []], WY as [[] []].
    split; [exact F|]; split; [auto|]; split; [auto|]; lia. }
  destruct (common_exponent_spec x y WX WY) as (A & B & _).
  pose proof (with_exponent_bits x _ WX A); pose proof (with_exponent_bits y _ WY B).
  split; [lia|]; split; [|split; [|lia]]; intros r H'; apply with_exponent_holds; try assumption;
    apply room_of; assumption.
Qed.

(** RS-NUM-19: x + y; also of numbers with the same exponent, which are added as they are, as in all
    sums of RS-NUM-6, RS-NUM-8 and RS-NUM-9 *)
Theorem sum_holds x y r s : words x -> words y -> holds x r -> holds y s ->
  holds (sum x y) (r + s) /\ low (sum x y) < 2 ^ 127 /\ slack (sum x y) < 2 ^ 127.
Proof.
  intros WX WY HX HY; unfold sum; pose proof (align_spec x y WX WY) as A;
    destruct (align x y) as [a b].
  destruct A as (E & A & B & LA & SA & LB & SB); apply A in HX; apply B in HY.
  unfold add; rewrite !wrap_small by (unfold word; lia); cbn [low slack]; split; [|lia].
  unfold holds in *; cbn [low slack exponent]; rewrite <- E in HY;
    pose proof (unit_pos (exponent a)).
  replace (low a + low b + (slack a + slack b)) with (low a + slack a + (low b + slack b)) by ring.
  rewrite !(plus_IZR (low a)), !(plus_IZR (_ + _)) in *; rewrite !plus_IZR in *; nra.
Qed.
Theorem sum_must_fail : ~ (forall x y r s, words x -> words y -> holds x r -> holds y s -> holds
  (less (sum x y)) (r + s)).
Proof.
  intros F; pose (x := Number 5 1 0); assert (holds x 6) as H by (unfold holds, unit_of; cbn; lra).
  specialize (F x x 6%R 6%R ltac:(split; split; cbn; lia) ltac:(split; split; cbn; lia) H H);
    unfold holds, unit_of in F;
    cbn in F; lra.
Qed.

(** RS-NUM-19: x - y *)
Theorem difference_holds x y r s : words x -> words y -> holds x r -> holds y s ->
  let (of, size) := difference x y in
  match of with
  | Zero_difference => r = s
  | Positive_difference => 0 < low size /\ holds size (r - s)
  | Negative_difference => 0 < low size /\ holds size (s - r)
  | Open => True
  end.
Proof.
  intros WX WY HX HY; unfold difference; pose proof (align_spec x y WX WY) as A;
    destruct (align x y) as [a b].
  destruct A as (E & A & B & LA & SA & LB & SB); apply A in HX; apply B in HY.
  unfold add, sub; rewrite !(wrap_small (low _ + slack _)), !(wrap_small (slack a + slack b)) by
    (unfold word; lia).
  unfold holds in *; rewrite <- E in HY; pose proof (unit_pos (exponent a)).
  destruct (Z.ltb_spec (low b + slack b) (low a)) as [P|P]; [|destruct (Z.ltb_spec (low a + slack
    a) (low b)) as [Q|Q]];
    rewrite ?wrap_small by (unfold word; lia); cbn [low slack exponent].
  - split; [lia|]; replace (low a - (low b + slack b) + (slack a + slack b)) with (low a + slack a
    - low b) by ring.
    rewrite !minus_IZR, !plus_IZR in *; nra.
  - split; [lia|]; replace (low b - (low a + slack a) + (slack a + slack b)) with (low b + slack b
    - low a) by ring.
    rewrite !minus_IZR, !plus_IZR in *; nra.
  - destruct (Z.eqb_spec (slack a + slack b) 0); [|exact I].
    replace (slack a) with 0 in * by lia; replace (slack b) with 0 in * by lia.
    replace (low b) with (low a) in * by lia; rewrite Z.add_0_r in *; lra.
Qed.
Theorem difference_must_fail : ~ (forall x y r s, words x -> words y -> holds x r -> holds y s ->
  let (of, size) := difference x y in of = Positive_difference -> holds (less size) (r - s)).
Proof.
  intros F; specialize (F (Number 5 1 0) (Number 2 1 0) 6%R 2%R ltac:(split; split; cbn;
    lia) ltac:(split; split; cbn; lia)).
  assert (holds (Number 5 1 0) 6) as H by (unfold holds, unit_of; cbn; lra).
  assert (holds (Number 2 1 0) 2) as G by (unfold holds, unit_of; cbn; lra).
  specialize (F H G eq_refl); unfold holds, unit_of in F; cbn in F; lra.
Qed.
