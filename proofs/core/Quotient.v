(* The one rounding: rs_round_quotient() of csrc/numerics.c, RS-NUM-7. Doubles are those of Flocq:
   binary64, to the nearest, ties to even. *)
Require Import Reals ZArith Lra Lia Psatz Bool.
From Flocq Require Import Core.
From Rankspec.core Require Import Words Model Enclosures Numerics Products.
Open Scope Z_scope.

(** RS-NUM-1: the double nearest to x, below the overflow *)
Definition double x := round radix2 (FLT_exp (-1074) 53) ZnearestE x.

(** Between 2^52 and 2^53 the integers are the doubles; just above a power of two the doubles below
    are twice as close. *)
Definition is_near quarter m q := 2 ^ 52 <= m <= 2 ^ 53 /\ (q < IZR m + / 2)%R /\
  (IZR m - (if m =? 2 ^ 52 then / IZR quarter else / 2) < q)%R.

Lemma mag_between q m k : (0 <= k)%Z -> (IZR (2 ^ (k - 1)) <= q < IZR (2 ^ k))%R -> 0 <= k - 1 ->
  mag radix2 (q * bpow radix2
  m) = (k + m)%Z :> Z.
Proof.
  intros K [A B] K1; apply mag_unique; rewrite Rabs_pos_eq.
  2: { apply Rmult_le_pos; [|apply bpow_ge_0]; eapply Rle_trans; [|exact A];
    apply IZR_le, Z.pow_nonneg; lia. }
  replace (k + m - 1) with (k - 1 + m) by ring; rewrite (bpow_plus radix2 (k - 1) m), (bpow_plus
    radix2 k m).
  rewrite <- (IZR_Zpower radix2 (k - 1)), <- (IZR_Zpower radix2 k) by lia;
    pose proof (bpow_gt_0 radix2 m).
  split; [apply Rmult_le_compat_r; [lra|exact A]|apply Rmult_lt_compat_r; [lra|exact B]].
Qed.
Lemma double_of q e k n : (IZR (2 ^ (k - 1)) <= q < IZR (2 ^ k))%R -> 1 <= k -> -1074 <= k + e - 53
  ->
  (Rabs (q * bpow radix2 (53 - k) - IZR n) < / 2)%R -> double (q * bpow radix2 e) = (IZR n * bpow
    radix2 (e + k - 53))%R.
Proof.
  intros Q K E N; unfold double, round, F2R, scaled_mantissa, cexp; cbn [Fnum Fexp].
  rewrite (mag_between q e k) by (assumption || lia); unfold FLT_exp; rewrite Z.max_l by lia.
  rewrite Rmult_assoc, <- bpow_plus; replace (e + - (k + e - 53)) with (53 - k) by ring.
  rewrite (Znearest_imp _ _ n N); f_equal; f_equal; ring.
Qed.

(** RS-NUM-7: so m is the nearest double of q *)
Theorem nearest_is m q e : is_near 4 m q -> -1022 <= e -> double (q * bpow radix2 e) = (IZR m *
  bpow radix2 e)%R.
Proof.
  intros (M & U & L) E; change (IZR 4) with 4%R in L.
  assert (IZR (2 ^ 52) <= IZR m <= IZR (2 ^ 53))%R as R by (split; apply IZR_le; lia).
  change (IZR (2 ^ 52)) with 4503599627370496%R in R; change (IZR (2 ^ 53)) with 9007199254740992%R
    in R.
  destruct (Rlt_or_le q 4503599627370496) as [Q|Q]; [|destruct (Rlt_or_le q 9007199254740992) as
    [Q'|Q']].
  - assert (m = 2 ^ 52) as ->.
    { destruct (Z.eqb_spec m (2 ^ 52)); [assumption|]; assert (2 ^ 52 + 1 <= m) as X by lia;
      apply IZR_le in X;
      rewrite plus_IZR in X.
      change (IZR (2 ^ 52)) with 4503599627370496%R in X; lra. }
    change (2 ^ 52 =? 2 ^ 52) with true in L; cbv iota in L; change (IZR (2 ^ 52)) with
      4503599627370496%R in *.
    rewrite (double_of q e 52 (2 ^ 53)).
    + replace (e + 52 - 53) with (-1 + e) by ring; rewrite bpow_plus;
      change (IZR (2 ^ 53)) with 9007199254740992%R.
      change (bpow radix2 (-1)) with (/ 2)%R; lra.
    + change (IZR (2 ^ (52 - 1))) with 2251799813685248%R; change (IZR (2 ^ 52)) with
      4503599627370496%R; lra.
    + lia.
    + lia.
    + change (bpow radix2 (53 - 52)) with 2%R; change (IZR (2 ^ 53)) with 9007199254740992%R;
      apply Rabs_lt; lra.
  - rewrite (double_of q e 53 m); [f_equal; f_equal; ring| | lia|lia|].
    + change (IZR (2 ^ (53 - 1))) with 4503599627370496%R; change (IZR (2 ^ 53)) with
      9007199254740992%R; lra.
    + change (bpow radix2 (53 - 53)) with 1%R; destruct (m =? 2 ^ 52); apply Rabs_lt; lra.
  - assert (m = 2 ^ 53) as -> by (assert (2 ^ 53 <= m); [|lia]; apply le_IZR;
    change (IZR (2 ^ 53)) with 9007199254740992%R;
      destruct (Z.le_gt_cases (2 ^ 53) m) as [X|X]; [apply IZR_le in X; exact X|];
      assert (m <= 2 ^ 53 - 1) as Y by lia; apply IZR_le in Y; rewrite minus_IZR in Y;
        change (IZR (2 ^ 53)) with 9007199254740992%R in Y; lra).
    change (IZR (2 ^ 53)) with 9007199254740992%R in *; rewrite (double_of q e 54 (2 ^ 52)).
    + replace (e + 54 - 53) with (1 + e) by ring; rewrite bpow_plus;
      change (IZR (2 ^ 52)) with 4503599627370496%R.
      change (bpow radix2 1) with 2%R; lra.
    + change (IZR (2 ^ (54 - 1))) with 9007199254740992%R; change (IZR (2 ^ 54)) with
      18014398509481984%R; lra.
    + lia.
    + lia.
    + change (bpow radix2 (53 - 54)) with (/ 2)%R; change (IZR (2 ^ 52)) with 4503599627370496%R;
      apply Rabs_lt; lra.
Qed.
(** With a half in the place of the quarter it would not be: 2^52 - 3/8 is nearer to the double 2^52
    - 1/2. *)
Theorem nearest_must_fail : ~ (forall m q e, is_near 2 m q -> -1022 <= e -> double (q * bpow radix2
  e) = (IZR m * bpow radix2
  e)%R).
Proof.
  intros F; specialize (F (2 ^ 52) (4503599627370496 - 3 / 8)%R 0).
  rewrite (double_of _ 0 52 (2 ^ 53 - 1)) in F.
  - change (bpow radix2 (0 + 52 - 53)) with (/ 2)%R in F; change (bpow radix2 0) with 1%R in F.
    change (IZR (2 ^ 52)) with 4503599627370496%R in F; change (IZR (2 ^ 53 - 1)) with
      9007199254740991%R in F.
    cut (9007199254740991 * / 2 = 4503599627370496 * 1)%R; [lra|apply F; [|lia]].
    unfold is_near; change (2 ^ 52 =? 2 ^ 52) with true; change (IZR (2 ^ 52)) with
      4503599627370496%R; cbv iota; repeat split;
      try lia; lra.
  - change (IZR (2 ^ (52 - 1))) with 2251799813685248%R; change (IZR (2 ^ 52)) with
    4503599627370496%R; lra.
  - lia.
  - lia.
  - change (bpow radix2 (53 - 52)) with 2%R; change (IZR (2 ^ 53 - 1)) with 9007199254740991%R;
    apply Rabs_lt; lra.
Qed.

(** * Correcting m *)

Lemma while_above_spec n R B m R' m' : 0 < B -> while_above n R B m = Some (R', m') ->
  R' + m' * B = R + m * B /\ 2 * R' <= B /\ (R' = R \/ - B < 2 * R').
Proof.
  intros P; revert R m; induction n as [|n IH]; intros R m; cbn [while_above while_below];
    [discriminate|].
  pose proof (Z.div_mod B 2 ltac:(lia)); pose proof (Z.mod_pos_bound B 2 ltac:(lia)).
  destruct (Z.ltb_spec (B / 2) R) as [H1|H1]; [|intros E; injection E as <- <-; lia].
  intros E; apply IH in E; lia.
Qed.
Lemma while_below_spec n R B m R' m' : 0 < B -> while_below n R B m = Some (R', m') ->
  R' + m' * B = R + m * B /\ - B <= 2 * R' /\ (2 * R <= B -> 2 * R' <= B).
Proof.
  intros P; revert R m; induction n as [|n IH]; intros R m; cbn [while_above while_below];
    [discriminate|].
  pose proof (Z.div_mod B 2 ltac:(lia)); pose proof (Z.mod_pos_bound B 2 ltac:(lia)).
  destruct (Z.ltb_spec (B / 2) (- R)) as [H1|H1]; [|intros E; injection E as <- <-; lia].
  intros E; apply IH in E; lia.
Qed.
(** |R| <= B / 2, and the numerator R + m B is what it was *)
Lemma corrected_spec R B m R' m' : 0 < B -> corrected R B m = Some (R', m') -> R' + m' * B = R + m
  * B /\ - B <= 2 * R' <= B.
Proof.
  intros P; unfold corrected; destruct (while_above 100 R B m) as [[R1 m1]|] eqn:E;
    [|discriminate]; intros F.
  apply while_above_spec in E; [|assumption]; apply while_below_spec in F; [|assumption]; lia.
Qed.
Lemma doubled_spec n R B m d R' m' d' : 0 < B -> doubled n R B m d = Some (R', m', d') -> - B <= 2
  * R <= B ->
  d <= d' /\ R' + m' * B = (R + m * B) * 2 ^ (d' - d) /\ - B <= 2 * R' <= B /\ 2 ^ 52 <= m' /\ (m'
    = 2 ^ 52 -> 0 <= R') /\
  (m' <= m \/ m' <= 2 ^ 53).
Proof.
  intros P; revert R m d; induction n as [|n IH]; intros R m d; cbn [doubled]; [discriminate|].
  destruct (Z.ltb_spec m (2 ^ 52)); cbn [orb]; [|destruct (Z.eqb_spec m (2 ^ 52)) as [M|M];
    cbn [andb];
    [destruct (Z.ltb_spec R 0)|]].
  1, 2: destruct (corrected (R * 2) B (m * 2)) as [[R1 m1]|] eqn:E; [|discriminate]; intros F Q;
    apply corrected_spec in E; [|assumption]; destruct E as [E1 E2]; apply IH in F; [|assumption..];
    destruct F as (D & S & R2 & M1 & M2 & M3); rewrite E1 in S;
    assert (2 ^ (d' - d) = 2 * 2 ^ (d' - (d + 1))) as X by (replace (d' - d) with (1 + (d' - (d +
      1))) by ring;
      rewrite Z.pow_add_r by lia; reflexivity);
    assert ((m1 - 2 ^ 53 - 1) * B < 0) as Y by (replace ((m1 - 2 ^ 53 - 1) * B) with (R * 2 - R1 -
      B + (m * 2 - 2 ^ 53) * B) by
      lia; nia);
    assert (m1 <= 2 ^ 53) by nia; split; [lia|]; split; [rewrite S, X; ring|]; split;
      [assumption|]; split; [assumption|];
      split; [assumption|lia].
  all: intros E Q; injection E as <- <- <-; rewrite Z.sub_diag, Z.mul_1_r; repeat split; lia.
Qed.

(** * What round_carefully() decides *)

(** The parts of a result: with the numerator and the denominator, in the units of A and B at the
    end *)
Definition decides over under m R B := 2 * (R + over) < B /\ - B < (if m =? 2 ^ 52 then 4 else 2) *
  (R - under).

(** RS-NUM-7: if R + over < B / 2 and R - m under > - B / 2 (B / 4 above a power of two), m is the
    nearest for all numerators from A on to A + over, and all denominators from B on to B + under.
    *)
Theorem decides_nearest A B over tau m X Y : 0 < B -> 0 <= tau -> 2 ^ 52 <= m <= 2 ^ 53 -> decides
  over (tau * m) m (A - m * B)
  B ->
  (IZR A <= X <= IZR (A + over))%R -> (IZR B <= Y <= IZR (B + tau))%R -> is_near 4 m (X / Y).
Proof.
  intros PB PT M [D1 D2] HX HY; split; [assumption|]; change (IZR 4) with 4%R.
  pose proof (IZR_lt _ _ PB) as RB; assert (0 < Y)%R as RY by lra; apply IZR_lt in D1, D2.
  rewrite mult_IZR, plus_IZR, minus_IZR, mult_IZR in D1; rewrite plus_IZR in HX, HY; split.
  - apply (Rmult_lt_reg_r Y); [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by
    lra.
    assert (0 <= IZR m)%R as RM by (apply IZR_le; lia); assert (IZR m * IZR B <= IZR m * Y)%R by
      (apply Rmult_le_compat_l;
      lra); lra.
  - apply (Rmult_lt_reg_r Y); [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by
    lra.
    assert (0 <= IZR m)%R as RM by (apply IZR_le; lia).
    assert (IZR m * Y <= IZR m * IZR B + IZR tau * IZR m)%R by (rewrite (Rmult_comm (IZR tau)), <-
      Rmult_plus_distr_l;
      apply Rmult_le_compat_l; lra).
    rewrite opp_IZR, mult_IZR, minus_IZR, minus_IZR, !mult_IZR in D2; destruct (m =? 2 ^ 52).
    + change (IZR 4) with 4%R in D2; assert (/ 4 * IZR B <= / 4 * Y)%R by lra; lra.
    + change (IZR 2) with 2%R in D2; lra.
Qed.
(** With an equality in the place of <, it would be the double above of a tie, whose even one is
    below. *)
Theorem decides_must_fail : ~ (forall A B over tau m X Y, 0 < B -> 0 <= tau -> 2 ^ 52 <= m <= 2 ^
  53 ->
  2 * (A - m * B + over) <= B -> - B < 2 * (A - m * B - tau * m) -> (IZR A <= X <= IZR (A +
    over))%R -> (IZR B <= Y <= IZR (B +
    tau))%R ->
  double (X / Y) = IZR m).
Proof.
  intros F; specialize (F (2 * (2 ^ 52 + 1) + 1) 2 0 0 (2 ^ 52 + 1) (IZR (2 * (2 ^ 52 + 1) + 1))
    2%R ltac:(lia) ltac:(lia)
    ltac:(lia) ltac:(lia) ltac:(lia)).
  specialize (F ltac:(rewrite Z.add_0_r; lra) ltac:(cbn; lra)).
  unfold double, round, F2R, scaled_mantissa, cexp in F; cbn [Fnum Fexp] in F.
  change (IZR (2 * (2 ^ 52 + 1) + 1)) with 9007199254740995%R in F.
  replace (9007199254740995 / 2)%R with (9007199254740995 / 2 * bpow radix2 0)%R in F by (cbn; lra).
  rewrite (mag_between _ 0 53) in F; [|lia| |lia].
  2: { change (IZR (2 ^ (53 - 1))) with 4503599627370496%R; change (IZR (2 ^ 53)) with
    9007199254740992%R; lra. }
  change (FLT_exp (-1074) 53 (53 + 0)) with 0%Z in F; change (bpow radix2 0) with 1%R in F;
    change (bpow radix2 (- 0)) with 1%R in F.
  rewrite !Rmult_1_r in F; replace (9007199254740995 / 2)%R with (IZR 4503599627370497 + / 2)%R in
    F by lra.
  assert (Zfloor (IZR 4503599627370497 + / 2) = 4503599627370497%Z) as G by (apply Zfloor_imp;
    rewrite plus_IZR; lra).
  unfold Znearest in F; rewrite G in F; replace (IZR 4503599627370497 + / 2 - IZR
    4503599627370497)%R with (/ 2)%R in F by ring.
  rewrite Rcompare_Eq in F by reflexivity; change (negb (Z.even 4503599627370497)) with true in F;
    cbv iota in F.
  rewrite Zceil_floor_neq in F by (rewrite G; lra); rewrite G in F; apply eq_IZR in F; discriminate.
Qed.

Lemma signed_small x : 0 <= x < 2 ^ 127 -> signed x = x.
Proof. intros; unfold signed; destruct (Z.ltb_spec x (2 ^ 127)); lia. Qed.

(** The bits of a slack, shifted to the left, within what round_carefully() admits *)
Lemma shifted_slack z k n : 0 < z -> 0 <= k -> bits z + k <= n -> n <= 124 -> shl z k = z * 2 ^ k
  /\ 0 < z * 2 ^ k < 2 ^ n.
Proof.
  intros P K L N; destruct (bits_spec z P) as (B1 & _ & B2).
  assert (z * 2 ^ k < 2 ^ n) as U.
  { pose proof (pow_pos k K); apply Z.lt_le_trans with (2 ^ bits z * 2 ^ k);
    [apply Z.mul_lt_mono_pos_r; lia|].
    rewrite <- Z.pow_add_r by lia; apply pow_le; lia. }
  pose proof (pow_pos k K); pose proof (pow_le n 124 ltac:(lia)).
  assert (0 < z * 2 ^ k) by (apply Z.mul_pos_pos; assumption); split; [apply wrap_small;
    unfold word; lia|lia].
Qed.

(** The numbers as rs_round_quotient() scales them: A = a 2^s, or B = b 2^-s *)
Definition scaled_above (a : number) s := if 0 <? s then low a * 2 ^ s else low a.
Definition scaled_below (b : number) s := if s <? 0 then low b * 2 ^ (- s) else low b.

(** What is decided without another m: from the integers to the numbers *)
Theorem decided_nearest a b s m : 0 < low b -> 0 <= slack b -> 2 ^ 52 <= m <= 2 ^ 53 ->
  decides (slack a * 2 ^ (if 0 <? s then s else 0)) (slack b * 2 ^ (if s <? 0 then - s else 0) * m)
    m
    (scaled_above a s - m * scaled_below b s) (scaled_below b s) -> -1022 <= exponent a - exponent
      b - s ->
  forall r t, holds a r -> holds b t -> double (r / t) = (IZR m * bpow radix2 (exponent a -
    exponent b - s))%R.
Proof.
  intros PB SB M DEC RANGE r t HR HT; set (A := scaled_above a s) in *;
    set (B := scaled_below b s) in *.
  set (up := if 0 <? s then s else 0) in *; set (down := if s <? 0 then - s else 0) in *;
    set (e4 := exponent a - exponent b - s) in *.
  assert (0 <= up /\ 0 <= down /\ s = up - down) as (UP & DOWN & S) by
    (unfold up, down; destruct (Z.ltb_spec 0 s), (Z.ltb_spec s 0); lia).
  assert (A = low a * 2 ^ up) as EA by (unfold A, scaled_above, up; destruct (0 <? s);
    [reflexivity|cbn; lia]).
  assert (B = low b * 2 ^ down) as EB by (unfold B, scaled_below, down; destruct (s <? 0);
    [reflexivity|cbn; lia]).
  pose proof (pow_pos up UP) as PU; pose proof (pow_pos down DOWN) as PD.
  assert (0 < B) as PBB by (rewrite EB; apply Z.mul_pos_pos; assumption).
  assert (0 <= slack b * 2 ^ down) as PT by (apply Z.mul_nonneg_nonneg; lia).
  pose (X := (r * unit_of (- exponent a) * unit_of up)%R); pose (Y := (t * unit_of (- exponent b) *
    unit_of down)%R).
  assert (forall k, unit_of k * unit_of (- k) = 1)%R as INV by (intros;
    rewrite <- unit_plus, Z.add_opp_diag_r; reflexivity).
  assert (forall k, unit_of k <> 0)%R as U0 by (intros k; pose proof (unit_pos k); lra).
  assert (forall n x v k, 0 <= k -> holds n x -> (IZR (low n * 2 ^ k) <= v <= IZR (low n * 2 ^ k +
    slack n * 2 ^ k))%R \/
    v <> (x * unit_of (- exponent n) * unit_of k)%R) as SCALE.
  { intros n x v k K [L U]; destruct (Req_dec v (x * unit_of (- exponent n) * unit_of k)) as [->|];
    [left|right; assumption].
    rewrite (unit_whole k), <- Z.mul_add_distr_r, !mult_IZR by lia.
    pose proof (IZR_lt _ _ (pow_pos k K)); pose proof (unit_pos (- exponent n)) as UM;
      pose proof (INV (exponent n)) as I1.
    split; apply Rmult_le_compat_r; try lra.
    - replace (IZR (low n)) with (IZR (low n) * unit_of (exponent n) * unit_of (- exponent n))%R by
      (rewrite Rmult_assoc, I1;
      ring).
      apply Rmult_le_compat_r; lra.
    - replace (IZR (low n + slack n)) with (IZR (low n + slack n) * unit_of (exponent n) * unit_of
      (- exponent n))%R by
        (rewrite Rmult_assoc, I1; ring).
      apply Rmult_le_compat_r; lra. }
  destruct (SCALE a r X up UP HR) as [HX|N]; [|contradiction N; reflexivity].
  destruct (SCALE b t Y down DOWN HT) as [HY|N]; [|contradiction N; reflexivity].
  rewrite <- EA in HX; rewrite <- EB in HY.
  pose proof (decides_nearest A B _ (slack b * 2 ^ down) m X Y PBB PT M DEC HX HY) as NEAR.
  rewrite <- (nearest_is m (X / Y) e4 NEAR RANGE); f_equal.
  assert (t <> 0)%R as T0.
  { intros ->; unfold Y in HY; rewrite !Rmult_0_l in HY; pose proof (IZR_lt _ _ PBB); lra. }
  unfold X, Y; fold (unit_of e4).
  replace (r * unit_of (- exponent a) * unit_of up / (t * unit_of (- exponent b) * unit_of down) *
    unit_of e4)%R
    with (r / t * (unit_of (- exponent a) * unit_of up * unit_of e4 / (unit_of (- exponent b) *
      unit_of down)))%R by (field;
      auto).
  rewrite <- !unit_plus; replace (- exponent a + up + e4) with (- exponent b + down) by (unfold e4;
    lia).
  unfold Rdiv; rewrite Rinv_r by auto; ring.
Qed.

(** RS-NUM-7/L1 in part: what round_carefully() decides is the double nearest to the quotient of any
    two numbers within the enclosures. It may begin with any m, of which R is the remainder. *)
Theorem NUM_7_L1_carefully a b m s m' e : words a -> words b -> 0 < low b ->
  let A := scaled_above a s in let B := scaled_below b s in
  B < 2 ^ 121 -> A < (2 ^ 54 - 2) * B -> round_carefully a b m s (A - m * B) B = Some (m', e) ->
  2 ^ 52 <= m' <= 2 ^ 53 /\ -1022 <= e <= 969 /\
  forall r t, holds a r -> holds b t -> double (r / t) = (IZR m' * bpow radix2 e)%R.
Proof.
  intros [LA SA] [LB SB] PB A B BB AB; unfold word in *.
  assert (0 < B) as PBB.
  { unfold B, scaled_below; destruct (Z.ltb_spec s 0); [apply Z.mul_pos_pos;
    [assumption|apply pow_pos; lia]|assumption]. }
  unfold round_carefully, round_carefully_by; destruct (corrected (A - m * B) B m) as [[R1 m1]|]
    eqn:C1; [|discriminate].
  apply corrected_spec in C1; [|assumption]; destruct C1 as [N1 Q1].
  assert (m1 <= 2 ^ 54 - 1) as M1.
  { destruct (Z.le_gt_cases m1 (2 ^ 54 - 1)) as [|X]; [assumption|];
    assert (2 ^ 54 * B <= m1 * B) by (apply Z.mul_le_mono_nonneg_r; lia); lia. }
  destruct (if 2 ^ 53 <? m1 then _ else _) as [[[[R2 m2] B2] halved]|] eqn:C2; [|discriminate].
  assert ((halved = 0 \/ halved = 1) /\ B2 = B * 2 ^ halved /\ R2 + m2 * B2 = A /\ - B2 <= 2 * R2
    <= B2 /\
    (halved = 0 -> m2 <= 2 ^ 53) /\ (halved = 1 -> 2 ^ 52 < m2 <= 2 ^ 53 \/ (m2 = 2 ^ 52 /\ 0 <
      R2)) ) as (HH & HB & N2 & Q2 &
      M2 & M2').
  { destruct (Z.ltb_spec (2 ^ 53) m1) as [X|X].
    - destruct (corrected _ (B * 2) (m1 / 2)) as [[R3 m3]|] eqn:C3; [|discriminate];
      injection C2 as <- <- <- <-.
      apply corrected_spec in C3; [|lia]; destruct C3 as [N3 Q3];
        pose proof (Z.div_mod m1 2 ltac:(lia)) as D;
        pose proof (Z.mod_pos_bound m1 2 ltac:(lia)) as MM.
      assert (R3 + m3 * (B * 2) = A) as N.
      { rewrite N3; destruct (Z.eqb_spec (m1 mod 2) 1) as [O|O];
        [|replace (m1 mod 2) with 0 in D by lia];
          [rewrite O in D|]; transitivity (R1 + m1 * B); [rewrite D at 2; ring|lia|rewrite D at 2;
            ring|lia]. }
      split; [right; reflexivity|]; split; [cbn; lia|]; split; [exact N|]; split; [exact Q3|];
        split; [discriminate|]; intros _.
      assert (R1 + m1 * B = A) as N1' by lia.
      assert (2 ^ 52 <= m3 <= 2 ^ 53 /\ (m3 = 2 ^ 52 -> 0 < R3)) as [].
      { assert ((2 ^ 53 + 1) * B <= m1 * B) as Y by (apply Z.mul_le_mono_nonneg_r; lia).
        assert (2 ^ 53 * B < A) as Y2 by lia; split; [split|].
        - destruct (Z.le_gt_cases (2 ^ 52) m3) as [|Z0]; [assumption|];
          assert (m3 * (B * 2) <= (2 ^ 52 - 1) * (B * 2)) by (apply Z.mul_le_mono_nonneg_r; lia);
            lia.
        - destruct (Z.le_gt_cases m3 (2 ^ 53)) as [|Z0]; [assumption|];
          assert ((2 ^ 53 + 1) * (B * 2) <= m3 * (B * 2)) by (apply Z.mul_le_mono_nonneg_r; lia);
            lia.
        - intros ->; lia. }
      destruct (Z.eq_dec m3 (2 ^ 52)); [right; auto|left; lia].
    - injection C2 as <- <- <- <-; split; [left; reflexivity|]; split; [cbn; lia|]; split; [lia|];
      split; [lia|]; split;
      [intros; lia|discriminate]. }
  destruct (doubled 60 R2 B2 m2 0) as [[[R4 m4] d]|] eqn:C4; [|discriminate].
  assert (0 < B2) as PB2 by (destruct HH as [->| ->]; cbn in HB; lia).
  apply doubled_spec in C4; [|assumption..]; destruct C4 as (D0 & N4 & Q4 & M4 & _ & M4');
    rewrite Z.sub_0_r, N2 in N4.
  destruct (_ || _) eqn:G; [discriminate|]; apply orb_false_elim in G; destruct G as [GA GB].
  assert (m4 <= 2 ^ 53) as M5 by lia.
  set (up := if 0 <? s then s else 0) in *; set (down := if s <? 0 then - s else 0) in *.
  assert (0 <= up /\ 0 <= down /\ s = up - down) as (UP & DOWN & S) by (unfold up, down;
    destruct (Z.ltb_spec 0 s), (Z.ltb_spec s 0); lia).
  assert (A = low a * 2 ^ up) as EA by (unfold A, scaled_above, up; destruct (0 <? s);
    [reflexivity|cbn; lia]).
  assert (B = low b * 2 ^ down) as EB by (unfold B, scaled_below, down; destruct (s <? 0);
    [reflexivity|cbn; lia]).
  set (tau := slack b * 2 ^ down * 2 ^ halved).
  assert (0 <= halved <= 1) as H01 by lia.
  assert ((if slack a =? 0 then 0 else signed (shl (if 0 <? s then shl (slack a) s else slack a)
    d)) = slack a * 2 ^ up * 2 ^
    d) as ->.
  { destruct (Z.eqb_spec (slack a) 0) as [->|NZ]; [reflexivity|]; cbn [negb andb] in GA;
    apply Z.ltb_ge in GA.
    assert ((if 0 <? s then shl (slack a) s else slack a) = slack a * 2 ^ up) as ->.
    { unfold up in *; destruct (Z.ltb_spec 0 s); [apply (shifted_slack (slack a) s (124 - d));
      lia|cbn; lia]. }
    assert (shl (slack a * 2 ^ up) d = slack a * 2 ^ (up + d) /\ 0 < slack a * 2 ^ (up + d) < 2 ^
      124) as [X Y].
    { destruct (shifted_slack (slack a) (up + d) 124) as [X Y]; [lia..|]; split; [|exact Y];
      rewrite <- X; unfold shl.
      rewrite <- Z.mul_assoc, <- Z.pow_add_r by lia; reflexivity. }
    rewrite X, signed_small by lia; rewrite Z.pow_add_r by lia; ring. }
  assert ((if slack b =? 0 then 0 else signed (mul (shl (if s <? 0 then shl (slack b) (- s) else
    slack b) halved) m4)) = tau *
    m4) as ->.
  { unfold tau; destruct (Z.eqb_spec (slack b) 0) as [->|NZ]; [reflexivity|];
    cbn [negb andb] in GB; apply Z.ltb_ge in GB.
    assert ((if s <? 0 then shl (slack b) (- s) else slack b) = slack b * 2 ^ down) as ->.
    { unfold down in *; destruct (Z.ltb_spec s 0); [apply (shifted_slack (slack b) (- s) 70);
      lia|cbn; lia]. }
    assert (shl (slack b * 2 ^ down) halved = slack b * 2 ^ (down + halved) /\ 0 < slack b * 2 ^
      (down + halved) < 2 ^ 71) as
      [X Y].
    { destruct (shifted_slack (slack b) (down + halved) 71) as [X Y]; [lia..|]; split; [|exact Y];
      rewrite <- X; unfold shl.
      rewrite <- Z.mul_assoc, <- Z.pow_add_r by lia; reflexivity. }
    rewrite X; rewrite Z.pow_add_r in * by lia; rewrite Z.mul_assoc in *;
      set (z := slack b * 2 ^ down * 2 ^ halved) in *.
    assert (0 <= z * m4 < 2 ^ 71 * (2 ^ 53 + 1)) as ZM by (split; [apply Z.mul_nonneg_nonneg;
      lia|apply Z.mul_lt_mono_nonneg;
      lia]).
    unfold mul; rewrite wrap_small by (unfold word; lia); apply signed_small; lia. }
  destruct (_ || _) eqn:GG; [discriminate|]; apply orb_false_elim in GG; destruct GG as [G1 G2];
    apply Z.leb_gt in G1, G2.
  unfold scaled_result; set (e4 := exponent a - exponent b - (s + d - halved));
    destruct (_ || _) eqn:GS; [discriminate|].
  apply orb_false_elim in GS; destruct GS as [S1 S2]; apply Z.ltb_ge in S1, S2; intros OUT;
    injection OUT as <- <-.
  split; [lia|]; split; [lia|]; intros r t HR HT.
  assert (decides (slack a * 2 ^ up * 2 ^ d) (tau * m4) m4 (A * 2 ^ d - m4 * B2) B2) as DEC.
  { replace (A * 2 ^ d - m4 * B2) with R4 by lia; split; [lia|]; exact G2. }
  pose (X := (r * unit_of (- exponent a) * unit_of (up + d))%R);
    pose (Y := (t * unit_of (- exponent b) * unit_of (down + halved))%R).
  pose proof (unit_pos (exponent a)) as UA; pose proof (unit_pos (exponent b)) as UB.
  assert (forall k, unit_of k * unit_of (- k) = 1)%R as INV by (intros;
    rewrite <- unit_plus, Z.add_opp_diag_r; reflexivity).
  assert (IZR (A * 2 ^ d) <= X <= IZR (A * 2 ^ d + slack a * 2 ^ up * 2 ^ d))%R as HX.
  { unfold X; rewrite (unit_whole (up + d)) by lia; rewrite EA; destruct HR as [L U].
    replace (low a * 2 ^ up * 2 ^ d) with (low a * 2 ^ (up + d)) by (rewrite Z.pow_add_r by lia;
      ring).
    replace (low a * 2 ^ (up + d) + slack a * 2 ^ up * 2 ^ d) with ((low a + slack a) * 2 ^ (up +
      d)) by (rewrite Z.pow_add_r
      by lia; ring).
    rewrite !mult_IZR; pose proof (IZR_lt _ _ (pow_pos (up + d) ltac:(lia)));
      pose proof (unit_pos (- exponent a)) as UM;
      pose proof (INV (exponent a)) as I1.
    split; apply Rmult_le_compat_r; try lra.
    - replace (IZR (low a)) with (IZR (low a) * unit_of (exponent a) * unit_of (- exponent a))%R by
      (rewrite Rmult_assoc, I1;
      ring); apply Rmult_le_compat_r; lra.
    - replace (IZR (low a + slack a)) with (IZR (low a + slack a) * unit_of (exponent a) * unit_of
      (- exponent a))%R by
      (rewrite Rmult_assoc, I1; ring); apply Rmult_le_compat_r; lra. }
  assert (IZR B2 <= Y <= IZR (B2 + tau))%R as HY.
  { unfold Y, tau; rewrite (unit_whole (down + halved)) by lia; rewrite HB, EB;
    destruct HT as [L U].
    replace (low b * 2 ^ down * 2 ^ halved + slack b * 2 ^ down * 2 ^ halved) with ((low b + slack
      b) * 2 ^ (down + halved)) by
      (rewrite Z.pow_add_r by lia; ring).
    replace (low b * 2 ^ down * 2 ^ halved) with (low b * 2 ^ (down + halved)) by (rewrite
      Z.pow_add_r by lia; ring).
    rewrite !mult_IZR; pose proof (IZR_lt _ _ (pow_pos (down + halved) ltac:(lia)));
      pose proof (unit_pos (- exponent b)) as UM; pose proof (INV (exponent b)) as I1.
    split; apply Rmult_le_compat_r; try lra.
    - replace (IZR (low b)) with (IZR (low b) * unit_of (exponent b) * unit_of (- exponent b))%R by
      (rewrite Rmult_assoc, I1;
      ring); apply Rmult_le_compat_r; lra.
    - replace (IZR (low b + slack b)) with (IZR (low b + slack b) * unit_of (exponent b) * unit_of
      (- exponent b))%R by
      (rewrite Rmult_assoc, I1; ring); apply Rmult_le_compat_r; lra. }
  assert (0 <= tau) as PT by (unfold tau; repeat apply Z.mul_nonneg_nonneg; try lia;
    apply Z.lt_le_incl, pow_pos; lia).
  pose proof (decides_nearest (A * 2 ^ d) B2 _ tau m4 X Y PB2 PT ltac:(lia) DEC HX HY) as NEAR.
  rewrite <- (nearest_is m4 (X / Y) e4 NEAR ltac:(lia)); f_equal.
  assert (t <> 0)%R as T0.
  { intros ->; unfold Y in HY; rewrite !Rmult_0_l in HY; pose proof (IZR_lt _ _ PB2); lra. }
  assert (forall k, unit_of k <> 0)%R as U0 by (intros k; pose proof (unit_pos k); lra).
  unfold X, Y; fold (unit_of e4).
  replace (r * unit_of (- exponent a) * unit_of (up + d) / (t * unit_of (- exponent b) * unit_of
    (down + halved)) * unit_of
    e4)%R
    with (r / t * (unit_of (- exponent a) * unit_of (up + d) * unit_of e4 / (unit_of (- exponent b)
      * unit_of (down +
      halved))))%R by (field; auto).
  rewrite <- !unit_plus; replace (- exponent a + (up + d) + e4) with (- exponent b + (down +
    halved)) by (unfold e4; lia).
  unfold Rdiv; rewrite Rinv_r by auto; ring.
Qed.
(** The guards of the slacks are no loss of decisions, and a slack that is one less would be wrong:
    *)
Theorem NUM_7_L1_must_fail : ~ (forall a b m s m' e, words a -> words b -> 0 < low b ->
  let A := scaled_above a s in let B := scaled_below b s in
  B < 2 ^ 121 -> A < (2 ^ 54 - 2) * B -> round_carefully (less a) b m s (A - m * B) B = Some (m',
    e) ->
  forall r t, holds a r -> holds b t -> double (r / t) = (IZR m' * bpow radix2 e)%R).
Proof.
  intros F; pose (a := Number (4 * 2 ^ 52 + 4) 2 0); pose (b := Number 4 0 0).
  assert (round_carefully (less a) b (2 ^ 52) 0 (scaled_above a 0 - 2 ^ 52 * scaled_below b 0)
    (scaled_below b 0) = Some (2 ^
    52 + 1, 0)) as E by (vm_compute; reflexivity).
  assert (holds a (IZR (4 * 2 ^ 52 + 6))) as H by (unfold holds, unit_of; cbn; lra).
  assert (holds b 4) as G by (unfold holds, unit_of; cbn; lra).
  specialize (F a b (2 ^ 52) 0 _ _ ltac:(split; split; vm_compute; congruence) ltac:(split; split;
    vm_compute;
    congruence) ltac:(reflexivity)
    ltac:(reflexivity) ltac:(reflexivity) E _ _ H G).
  change (IZR (4 * 2 ^ 52 + 6)) with 18014398509481990%R in F;
    change (IZR (2 ^ 52 + 1)) with 4503599627370497%R in F.
  unfold double, round, F2R, scaled_mantissa, cexp in F; cbn [Fnum Fexp] in F.
  replace (18014398509481990 / 4)%R with (18014398509481990 / 4 * bpow radix2 0)%R in F by (cbn;
    lra).
  rewrite (mag_between _ 0 53) in F; [|lia| |lia].
  2: { change (IZR (2 ^ (53 - 1))) with 4503599627370496%R; change (IZR (2 ^ 53)) with
    9007199254740992%R; lra. }
  change (FLT_exp (-1074) 53 (53 + 0)) with 0%Z in F; change (bpow radix2 0) with 1%R in F;
    change (bpow radix2 (- 0)) with 1%R in F.
  rewrite !Rmult_1_r in F; replace (18014398509481990 / 4)%R with (IZR 4503599627370497 + / 2)%R in
    F by lra.
  assert (Zfloor (IZR 4503599627370497 + / 2) = 4503599627370497%Z) as Q by (apply Zfloor_imp;
    rewrite plus_IZR; lra).
  unfold Znearest in F; rewrite Q in F; replace (IZR 4503599627370497 + / 2 - IZR
    4503599627370497)%R with (/ 2)%R in F by ring.
  rewrite Rcompare_Eq in F by reflexivity; change (negb (Z.even 4503599627370497)) with true in F;
    cbv iota in F.
  rewrite Zceil_floor_neq in F by (rewrite Q; lra); rewrite Q in F; apply eq_IZR in F; discriminate.
Qed.

(** * rs_round_quotient() *)

(** The first m and s, of the estimate in double precision: they are off by less than sixteen units.
    Doubles.v proves it. *)
Definition near_estimate m s (a b : number) := let A := scaled_above a s in let B := scaled_below b
  s in
  0 <= m < 2 ^ 53 /\ B < 2 ^ 121 /\ Z.abs (A - m * B) <= 16 * B.

Lemma remainder_exact m s a b : 0 < low a < 2 ^ 120 -> 0 < low b < 2 ^ 120 -> near_estimate m s a b
  ->
  let A := if 128 <=? s then 0 else if 0 <? s then shl (low a) s else low a in
  let B := if s <? 0 then shl (low b) (- s) else low b in
  B = scaled_below b s /\ signed (sub A (mul B m)) = scaled_above a s - m * scaled_below b s.
Proof.
  intros LA LB (M & BB & N); cbn zeta in *.
  assert (0 < scaled_below b s) as PB.
  { unfold scaled_below; destruct (Z.ltb_spec s 0); [apply Z.mul_pos_pos; [lia|apply pow_pos;
    lia]|lia]. }
  assert ((if s <? 0 then shl (low b) (- s) else low b) = scaled_below b s) as E.
  { unfold scaled_below in *; destruct (s <? 0); [apply wrap_small; unfold word; lia|reflexivity]. }
  split; [exact E|]; rewrite E; clear E; set (B := scaled_below b s) in *;
    set (A := scaled_above a s) in *.
  assert ((if 128 <=? s then 0 else if 0 <? s then shl (low a) s else low a) = wrap A) as ->.
  { unfold A, scaled_above; destruct (Z.leb_spec 128 s).
    - destruct (Z.ltb_spec 0 s); [|lia]; unfold wrap; replace s with (s - 128 + 128) by ring;
      rewrite Z.pow_add_r by lia.
      rewrite Z.mul_assoc, Z.mod_mul by lia; reflexivity.
    - destruct (Z.ltb_spec 0 s); [reflexivity|symmetry; apply wrap_small; unfold word; lia]. }
  rewrite <- (signed_wrap (A - m * B)) by lia; f_equal; unfold sub, mul, wrap.
  rewrite <- Zminus_mod, (Z.mul_comm B m); reflexivity.
Qed.

(** RS-NUM-7/L1 in part: rs_round_quotient(), where the comparison in double precision does not
    decide: what is decided is the correctly rounded value *)
Theorem NUM_7_L1 m s x y m' e : words x -> words y -> near_estimate m s (first_120 x y) (first_120
  y x) ->
  0 < low (first_120 x y) -> 0 < low (first_120 y x) -> round_quotient_from m s x y = Some (m', e)
    ->
  2 ^ 52 <= m' <= 2 ^ 53 /\ -1022 <= e <= 969 /\
  forall r t, holds x r -> holds y t -> double (r / t) = (IZR m' * bpow radix2 e)%R.
Proof.
  intros WX WY N PA PB; unfold round_quotient_from; rewrite <- lor_comm_120; fold (first_120 x y).
  destruct (first_120_spec x y WX WY) as ([LA SA] & HA & _), (first_120_spec y x WY WX) as ([LB SB]
    & HB & _).
  set (a := first_120 x y) in *; set (b := first_120 y x) in *;
    destruct (Z.eqb_spec (low a) 0), (Z.eqb_spec (low b) 0);
    try lia; cbn [orb].
  destruct (remainder_exact m s a b ltac:(lia) ltac:(lia) N) as [E1 E2]; cbn zeta in E1, E2;
    rewrite E2, E1; intros H.
  destruct N as (M & BB & NN); cbn zeta in BB, NN.
  destruct (NUM_7_L1_carefully a b m s m' e) as (Q1 & Q2 & Q3); try assumption; try (split;
    unfold word; lia || assumption).
  - assert (0 < scaled_below b s) as PBB.
    { unfold scaled_below; destruct (Z.ltb_spec s 0); [apply Z.mul_pos_pos; [lia|apply pow_pos;
      lia]|lia]. }
    assert (m * scaled_below b s <= (2 ^ 53 - 1) * scaled_below b s + 0) by (rewrite Z.add_0_r;
      apply Z.mul_le_mono_nonneg_r;
      lia).
    lia.
  - split; [assumption|]; split; [assumption|]; intros r t R T; apply Q3; auto.
Qed.
(** RS-NUM-7: the special cases (a) and (b): 0 where the numerator or the denominator is 0 without
    error (in Coq 1/0 is 0, as in RS-CONV-4), and undecided where there is an error *)
Theorem round_quotient_of_0 m s x y : words x -> words y -> low (first_120 x y) = 0 \/ low
  (first_120 y x) = 0 ->
  match round_quotient_from m s x y with
  | Some d => d = (0, 0) /\ forall r t, holds x r -> holds y t -> (r / t = 0)%R
  | None => True
  end.
Proof.
  intros WX WY Z0; unfold round_quotient_from; rewrite <- lor_comm_120; fold (first_120 x y).
  destruct (first_120_spec x y WX WY) as ([LA SA] & HA & _), (first_120_spec y x WY WX) as ([LB SB]
    & HB & _).
  set (a := first_120 x y) in *; set (b := first_120 y x) in *.
  assert ((low a =? 0) || (low b =? 0) = true) as -> by (destruct Z0 as [->| ->];
    [reflexivity|apply orb_true_r]).
  destruct (is_zero a) eqn:ZA; [|destruct (is_zero b) eqn:ZB; [|exact I]]; cbn [orb]; split; auto;
    intros r t R T; unfold Rdiv.
  - apply HA in R; apply (zero_holds a) in R; [rewrite R; ring|exact ZA|split; [unfold word;
    lia|exact SA]].
  - apply HB in T; apply (zero_holds b) in T; [rewrite T, Rinv_0; ring|exact ZB|split;
    [unfold word; lia|exact SB]].
Qed.
