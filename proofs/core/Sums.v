(* Sums of gains times discounts: the limbs of csrc/dcg.c, RS-NUM-6, and the terms of RS-NUM-4,
   RS-NUM-8 and RS-NUM-10. *)
Require Import Reals ZArith Lra Lia Psatz Bool List.
From Flocq Require Import Core.
From Rankspec.core Require Import Words Model Enclosures Numerics Products.
Import ListNotations.
Open Scope Z_scope.

(** The gains of a list with their discounts, (g, D) *)
Definition dot (l : list (Z * Z)) := fold_right (fun t sum => fst t * snd t + sum) 0 l.
Definition gains (l : list (Z * Z)) := fold_right (fun t sum => fst t + sum) 0 l.
Definition entries (l : list (Z * Z)) := Forall (fun t => 0 <= fst t /\ 0 <= snd t < 2 ^ 96) l.

Lemma gains_nonneg l : entries l -> 0 <= gains l.
Proof. induction 1 as [|t l [] ? IH]; [cbn; lia|]; unfold gains in *; cbn [fold_right]; lia. Qed.

(** A sum of words of 64 bits, each gain times a part of its discount that is below 2^32 *)
Lemma sum_of_limbs (part : Z -> Z) l start : entries l -> (forall D, 0 <= part D < 2 ^ 32) ->
  0 <= start -> start + gains l * (2 ^ 32 - 1) < 2 ^ 64 ->
  let sum := fold_left (fun sum t => half (sum + half (fst t * part (snd t)))) l start in
  sum = start + dot (map (fun t => (fst t, part (snd t))) l) /\ sum <= start + gains l * (2 ^ 32 -
    1).
Proof.
  intros E P; revert start; induction E as [|[g D] l [G _] E IH]; intros start S H;
    cbn [fold_left map dot gains fold_right fst snd] in *; [lia|].
  specialize (P D) as PD; pose proof (gains_nonneg l E); fold (gains l) (dot (map (fun t => (fst t,
    part (snd t))) l)) in *.
  assert (0 <= g * part D <= g * (2 ^ 32 - 1)) as X by (split;
    [apply Z.mul_nonneg_nonneg|apply Z.mul_le_mono_nonneg_l]; lia).
  rewrite Z.mul_add_distr_r in H.
  assert (half (start + half (g * part D)) = start + g * part D) as -> by (unfold half;
    rewrite (Z.mod_small (g * part D)), Z.mod_small by lia; reflexivity).
  specialize (IH (start + g * part D) ltac:(lia) ltac:(lia)); cbn zeta in *; lia.
Qed.
Lemma limb_range D i : 0 <= limb D i < 2 ^ 32.
Proof. unfold limb; apply Z.mod_pos_bound; lia. Qed.
(** D = limb 0 + 2^32 limb 1 + 2^64 limb 2 *)
Lemma limbs D : 0 <= D < 2 ^ 96 -> D = limb D 0 + 2 ^ 32 * limb D 1 + 2 ^ 64 * limb D 2.
Proof.
  intros H; unfold limb; change (32 * 0) with 0; change (32 * 1) with 32; change (32 * 2) with 64;
    rewrite Z.pow_0_r, Z.div_1_r.
  pose proof (Z.div_mod D (2 ^ 32) ltac:(lia)); pose proof (Z.div_mod (D / 2 ^ 32) (2 ^ 32)
    ltac:(lia)).
  assert (D / 2 ^ 64 = D / 2 ^ 32 / 2 ^ 32) as E by (rewrite Z.div_div by lia; reflexivity);
    rewrite E.
  assert (0 <= D / 2 ^ 32 / 2 ^ 32 < 2 ^ 32) by (rewrite <- E; split; [apply Z.div_pos;
    lia|apply Z.div_lt_upper_bound; lia]).
  rewrite (Z.mod_small (D / 2 ^ 32 / 2 ^ 32)) by lia; lia.
Qed.
Lemma dot_limbs l : entries l -> dot l = dot (map (fun t => (fst t, limb (snd t) 0)) l) + 2 ^ 32 *
  dot (map (fun t => (fst t,
  limb (snd t) 1)) l) +
  2 ^ 64 * dot (map (fun t => (fst t, limb (snd t) 2)) l).
Proof.
  induction 1 as [|[g D] l [G R] E IH]; [reflexivity|]; cbn [map dot fold_right fst snd] in *;
    rewrite (limbs D R) at 1.
  fold (dot l) in *; rewrite IH; unfold dot; ring.
Qed.
Lemma dot_nonneg (part : Z -> Z) l : entries l -> (forall D, 0 <= part D) -> 0 <= dot (map (fun t
  => (fst t, part (snd t))) l).
Proof.
  intros E P; induction E as [|[g D] l [G R] E IH]; cbn [map dot fold_right fst snd] in *; [lia|];
    specialize (P D).
  assert (0 <= g * part D) by (apply Z.mul_nonneg_nonneg; assumption); unfold dot in IH; lia.
Qed.

(** RS-NUM-6: no sum overflows, and no operation rounds: N is the sum of gains times discounts, for
    gains below 2^32 together *)
Theorem add_linear_exact l : entries l -> gains l < 2 ^ 32 -> add_linear l = dot l.
Proof.
  intros E G; unfold add_linear; pose proof (gains_nonneg l E) as G0.
  assert (forall i, let sum := fold_left (fun sum t => half (sum + half (fst t * limb (snd t) i)))
    l 0 in
    sum = dot (map (fun t => (fst t, limb (snd t) i)) l) /\ 0 <= sum < 2 ^ 64) as S.
  { intros i; pose proof (sum_of_limbs (fun D => limb D i) l 0 E (fun D => limb_range D i)
    ltac:(lia) ltac:(nia)) as [A B].
    pose proof (dot_nonneg (fun D => limb D i) l E (fun D => proj1 (limb_range D i)));
      cbn zeta in *; lia. }
  pose proof (S 0) as [A0 B0]; pose proof (S 1) as [A1 B1]; pose proof (S 2) as [A2 B2];
    cbn zeta in *.
  rewrite (dot_limbs l E), <- A0, <- A1, <- A2.
  match type of A0 with ?f = _ => set (s0 := f) in * end; match type of A1 with ?f = _ => set (s1
    := f) in * end.
  match type of A2 with ?f = _ => set (s2 := f) in * end.
  unfold add, shl; rewrite (wrap_small (_ * 2 ^ 32)) by (unfold word; lia);
    rewrite (wrap_small (_ * 2 ^ 64)) by (unfold word;
    lia).
  assert (dot l < 2 ^ 128) as L.
  { clear - E G; assert (dot l <= gains l * (2 ^ 96 - 1)); [|lia]; clear G.
    unfold dot, gains; induction E as [|[g D] l [G R] E IH]; cbn [fold_right fst snd] in *; [lia|].
    assert (g * D <= g * (2 ^ 96 - 1)) by (apply Z.mul_le_mono_nonneg_l; lia); lia. }
  rewrite (dot_limbs l E), <- A0, <- A1, <- A2 in L; rewrite (wrap_small (s0 + s1 * 2 ^ 32)) by
    (unfold word; lia);
    rewrite wrap_small by (unfold word; lia); lia.
Qed.
(** Twice as large gains overflow. *)
Theorem add_linear_must_fail : ~ (forall l, entries l -> gains l < 2 ^ 33 -> add_linear l = dot l).
Proof.
  intros F; pose (l := [(2 ^ 32, 2 ^ 96 - 1); (2, 2 ^ 96 - 1)]);
    specialize (F l ltac:(repeat constructor; cbn; lia) eq_refl).
  assert (add_linear l <> dot l) as N by (vm_compute; congruence); contradiction.
Qed.
(** RS-NUM-6: for few ranks, in two parts *)
Theorem add_in_two_exact l : entries l -> gains l < 2 ^ 32 -> add_in_two l = dot l.
Proof.
  intros E G; unfold add_in_two; pose proof (gains_nonneg l E) as G0.
  pose proof (sum_of_limbs (fun D => limb D 0) l 0 E (fun D => limb_range D 0) ltac:(lia)
    ltac:(nia)) as [A B].
  pose proof (dot_nonneg (fun D => limb D 0) l E (fun D => proj1 (limb_range D 0))) as B0;
    cbn zeta in *;
    set (low_sum := fold_left _ l 0) in A, B |- *.
  assert (forall start, 0 <= start -> start + gains l * (2 ^ 64 - 1) < 2 ^ 96 ->
    fold_left (fun sum t => add sum (mul (fst t) (shr (snd t) 32))) l start = start + dot (map (fun
      t => (fst t, shr (snd t)
      32)) l) /\
    0 <= dot (map (fun t => (fst t, shr (snd t) 32)) l) <= gains l * (2 ^ 64 - 1)) as H.
  { clear - E; induction E as [|[g D] l [G R] E IH]; intros start S H;
    cbn [fold_left map dot gains fold_right fst snd] in *;
    [lia|].
    pose proof (gains_nonneg l E); fold (gains l) (dot (map (fun t => (fst t, shr (snd t) 32)) l))
      in *;
      rewrite Z.mul_add_distr_r in H.
    pose proof (shr_nonneg D 32 ltac:(lia) ltac:(lia)); pose proof (shr_lt D 96 32 ltac:(lia) R) as
      U;
      change (96 - 32) with 64 in U.
    assert (0 <= g * shr D 32 <= g * (2 ^ 64 - 1)) as X by (split;
      [apply Z.mul_nonneg_nonneg|apply Z.mul_le_mono_nonneg_l];
      lia).
    assert (add start (mul g (shr D 32)) = start + g * shr D 32) as -> by
      (unfold mul, add; rewrite (wrap_small (g * shr D 32)), wrap_small by (unfold word; lia);
        reflexivity).
    specialize (IH (start + g * shr D 32) ltac:(lia) ltac:(lia)); lia. }
  specialize (H 0 ltac:(lia) ltac:(nia)) as [H1 H2]; rewrite H1; cbn [Z.add].
  assert (dot l = dot (map (fun t => (fst t, limb (snd t) 0)) l) + 2 ^ 32 * dot (map (fun t => (fst
    t, shr (snd t) 32)) l)) as
    D.
  { clear - E; induction E as [|[g D] l [G R] E IH]; [reflexivity|];
    cbn [map dot fold_right fst snd] in *.
    assert (D = limb D 0 + 2 ^ 32 * shr D 32) as X by (unfold limb, shr; change (32 * 0) with 0;
      rewrite Z.pow_0_r, Z.div_1_r;
      pose proof (Z.div_mod D (2 ^ 32)); lia).
    rewrite X at 1; fold (dot l) in *; rewrite IH; unfold dot; ring. }
  unfold shl, add; rewrite (wrap_small (_ * 2 ^ 32)) by (unfold word; nia);
    rewrite wrap_small by (unfold word; nia); lia.
Qed.

(** The true sum, of discounts d with D <= d < D + unit; an exact table has the unit 0. *)
Definition within (t : Z * Z) unit (d : R) := (IZR (snd t) <= d <= IZR (snd t + unit))%R.
Definition true_sum (l : list (Z * Z)) (d : list R) := fold_right (fun p sum => IZR (fst (fst p)) *
  snd p + sum)%R 0%R (combine
  l d).
Lemma true_sum_within l d unit : entries l -> length d = length l -> Forall (fun p => within (fst
  p) unit (snd p)) (combine l
  d) ->
  (IZR (dot l) <= true_sum l d <= IZR (dot l + gains l * unit))%R.
Proof.
  intros E; revert d; induction E as [|[g D] l [G R] E IH]; intros [|x d] L F; cbn in L;
    try discriminate; [cbn; lra|].
  cbn [combine] in F; inversion F as [|? ? [A B] F']; subst; specialize (IH d ltac:(lia) F');
    unfold true_sum;
    cbn [combine dot gains fold_right fst snd] in *.
  fold (true_sum l d) (dot l) (gains l); rewrite Z.mul_add_distr_r, !plus_IZR in *;
    rewrite !mult_IZR in *; apply IZR_le in G;
    nra.
Qed.
(** RS-NUM-6/L1 in part: DCG@k lies between N and N + CG@k units *)
Theorem NUM_6_L1 l d unit : entries l -> gains l < 2 ^ 32 -> 0 <= unit < 2 ^ 96 -> length d =
  length l -> Forall (fun p =>
  within (fst p) unit (snd p)) (combine l d) ->
  holds (Number (add_linear l) (mul (gains l) unit) 0) (true_sum l d) /\ holds (Number (add_in_two
    l) (mul (gains l) unit) 0)
    (true_sum l d).
Proof.
  intros E G U L F; rewrite add_linear_exact, add_in_two_exact by assumption; unfold mul;
    pose proof (gains_nonneg l E) as G0;
    rewrite wrap_small by (unfold word; nia).
  pose proof (true_sum_within l d unit E L F); unfold holds, unit_of; cbn; lra.
Qed.
(** For the error bound CG@k - 1 a discount of D + 3/4 is too large. *)
Theorem NUM_6_L1_must_fail : ~ (forall l d, entries l -> length d = length l -> Forall (fun p =>
  within (fst p) 1 (snd p))
  (combine l d) ->
  holds (Number (add_linear l) (gains l - 1) 0) (true_sum l d)).
Proof.
  intros F; specialize (F [(1, 5)] [(23 / 4)%R] ltac:(repeat constructor; cbn; lia) eq_refl);
    unfold holds, unit_of, true_sum in F.
  cbn -[add_linear] in F; replace (add_linear [(1, 5)]) with 5 in F by (vm_compute; reflexivity);
    cbn in F.
  destruct F as [_ F]; [repeat constructor; unfold within; cbn; lra|lra].
Qed.

(** One term of RS-NUM-8 or RS-NUM-10: two entries of 96 bits, each known but for its unit *)
Theorem term_holds G D v w x y more : 0 <= G -> 0 <= D -> 0 <= v -> 0 <= w -> G + v <= 2 ^ 96 -> D
  + w <= 2 ^ 96 -> 1 <= more ->
  (IZR G <= x <= IZR (G + v))%R -> (IZR D <= y <= IZR (D + w))%R ->
  (IZR (G * D / 2 ^ 96) <= x * y / IZR (2 ^ 96) <= IZR (G * D / 2 ^ 96 + v + w + more))%R.
Proof.
  intros G0 D0 V0 W0 GV DW M [X1 X2] [Y1 Y2]; pose proof (IZR_lt 0 (2 ^ 96) ltac:(lia)) as P.
  pose proof (Z.div_mod (G * D) (2 ^ 96) ltac:(lia)) as Q; pose proof (Z.mod_pos_bound (G * D) (2 ^
    96) ltac:(lia)) as R;
    set (q := G * D / 2 ^ 96) in *.
  assert (q * 2 ^ 96 <= G * D) as L by lia.
  assert ((G + v) * (D + w) <= (q + v + w + more) * 2 ^ 96) as U.
  { assert (v * (D + w) <= v * 2 ^ 96) by (apply Z.mul_le_mono_nonneg_l; lia);
    assert (G * w <= 2 ^ 96 * w) by (apply Z.mul_le_mono_nonneg_r; lia).
    replace ((G + v) * (D + w)) with (G * D + G * w + v * (D + w)) by ring; nia. }
  apply IZR_le in L, U; rewrite !mult_IZR in L, U; pose proof (IZR_le _ _ G0) as RG;
    pose proof (IZR_le _ _ D0) as RD.
  assert (IZR G * IZR D <= x * y)%R by (apply Rmult_le_compat; lra);
    assert (x * y <= IZR (G + v) * IZR (D + w))%R by (apply Rmult_le_compat; lra).
  split; apply (Rmult_le_reg_r (IZR (2 ^ 96))); try assumption; unfold Rdiv;
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra.
Qed.
(** RS-NUM-8: a term has an error below 3 + unit: G lacks less than 2 *)
Theorem wide_term_holds G D unit g d : 0 <= G <= 2 ^ 96 - 2 -> 0 <= D -> 0 <= unit -> D + unit <= 2
  ^ 96 -> (IZR G <= g <= IZR
  (G + 2))%R ->
  (IZR D <= d <= IZR (D + unit))%R -> (IZR (wide_product G D) <= g * d / IZR (2 ^ 96) <= IZR
    (wide_product G D + (3 + unit)))%R.
Proof.
  intros; rewrite wide_product_exact by lia; replace (G * D / 2 ^ 96 + (3 + unit)) with (G * D / 2
    ^ 96 + 2 + unit + 1) by ring.
  apply term_holds; try assumption; lia.
Qed.
(** RS-NUM-10: one of the user's expected DCG has an error below 1 + unit + unit *)
Theorem expected_term_holds W D v w x y : 0 <= W -> 0 <= D -> 0 <= v -> 0 <= w -> W + v <= 2 ^ 96
  -> D + w <= 2 ^ 96 ->
  (IZR W <= x <= IZR (W + v))%R -> (IZR D <= y <= IZR (D + w))%R ->
  (IZR (wide_product W D) <= x * y / IZR (2 ^ 96) <= IZR (wide_product W D + (1 + v + w)))%R.
Proof.
  intros; rewrite wide_product_exact by lia; replace (W * D / 2 ^ 96 + (1 + v + w)) with (W * D / 2
    ^ 96 + v + w + 1) by ring.
  apply term_holds; try assumption; lia.
Qed.
(** Without the 1 it would not be: of discounts and gains without an error what is cut is an error.
    *)
Theorem term_must_fail : ~ (forall G D v w x y, 0 <= G -> 0 <= D -> 0 <= v -> 0 <= w -> G + v <= 2
  ^ 96 -> D + w <= 2 ^ 96 ->
  (IZR G <= x <= IZR (G + v))%R -> (IZR D <= y <= IZR (D + w))%R -> (x * y / IZR (2 ^ 96) <= IZR (G
    * D / 2 ^ 96 + v + w))%R).
Proof.
  intros F; specialize (F 1 1 0 0 1%R 1%R ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    ltac:(lia) ltac:(cbn;
    lra) ltac:(cbn; lra)).
  replace (1 * 1 / 2 ^ 96 + 0 + 0) with 0 in F by reflexivity; cbn in F; lra.
Qed.

(** RS-NUM-4/L1 in part: the entries of 1/i, rs_inverse_entries() of csrc/discount.c *)
Theorem NUM_4_L1_inverse i : 0 < i -> (IZR (2 ^ 95 / i) <= IZR (2 ^ 95) / IZR i < IZR (2 ^ 95 / i +
  1))%R.
Proof.
  intros P; pose proof (Z.div_mod (2 ^ 95) i ltac:(lia)) as Q;
    pose proof (Z.mod_pos_bound (2 ^ 95) i P) as R;
    set (q := 2 ^ 95 / i) in *.
  pose proof (IZR_lt _ _ P) as RP; assert (q * i <= 2 ^ 95) as L by lia;
    assert (2 ^ 95 < (q + 1) * i) as U by lia.
  apply IZR_le in L; apply IZR_lt in U; rewrite mult_IZR in L, U; split.
  - apply (Rmult_le_reg_r (IZR i)); [assumption|]; unfold Rdiv;
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra.
  - apply (Rmult_lt_reg_r (IZR i)); [assumption|]; unfold Rdiv;
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra.
Qed.
