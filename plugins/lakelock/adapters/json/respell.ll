; Made of respell.c by `python -m native`; SHA-256 of that file and what it includes:
; 7c6cf0e5eecc0fd2d4b00a6b9763ffcf1be0133e094ff2b68653e34c401b5a89

%struct.level = type { i64, i64, i64, i64 }
%struct.node = type { ptr, i64, i64, i64, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @respell_names(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = alloca i64, align 8
  %4 = alloca [4 x i8], align 1
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = getelementptr inbounds i8, ptr %0, i64 40
  %9 = load i64, ptr %8, align 8
  %10 = icmp sgt i64 %9, 0
  br i1 %10, label %11, label %23

11:                                               ; preds = %1
  %12 = getelementptr inbounds i8, ptr %0, i64 64
  %13 = getelementptr inbounds i8, ptr %0, i64 56
  %14 = getelementptr inbounds i8, ptr %0, i64 48
  %15 = getelementptr inbounds i8, ptr %0, i64 16
  %16 = getelementptr inbounds i8, ptr %0, i64 8
  %17 = getelementptr inbounds i8, ptr %0, i64 96
  %18 = getelementptr inbounds i8, ptr %0, i64 32
  %19 = getelementptr inbounds i8, ptr %0, i64 24
  %20 = getelementptr inbounds i8, ptr %0, i64 72
  %21 = getelementptr inbounds i8, ptr %0, i64 80
  %22 = getelementptr inbounds i8, ptr %0, i64 88
  br label %24

23:                                               ; preds = %577, %1
  ret void

24:                                               ; preds = %11, %577
  %25 = phi i64 [ 0, %11 ], [ %578, %577 ]
  %26 = load ptr, ptr %12, align 8
  %27 = getelementptr inbounds i8, ptr %26, i64 %25
  %28 = load i8, ptr %27, align 1
  %29 = icmp eq i8 %28, 0
  br i1 %29, label %30, label %577

30:                                               ; preds = %24
  %31 = load ptr, ptr %13, align 8
  %32 = getelementptr inbounds i64, ptr %31, i64 %25
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr inbounds i8, ptr %32, i64 8
  %35 = load i64, ptr %34, align 8
  %36 = add i64 %35, -1
  %37 = load ptr, ptr %14, align 8
  %38 = icmp slt i64 %33, %36
  br i1 %38, label %39, label %46

39:                                               ; preds = %30, %43
  %40 = phi i64 [ %44, %43 ], [ %33, %30 ]
  %41 = getelementptr inbounds i8, ptr %37, i64 %40
  %42 = load i8, ptr %41, align 1
  switch i8 %42, label %46 [
    i8 32, label %43
    i8 13, label %43
    i8 9, label %43
    i8 10, label %43
  ]

43:                                               ; preds = %39, %39, %39, %39
  %44 = add i64 %40, 1
  %45 = icmp eq i64 %44, %36
  br i1 %45, label %577, label %39

46:                                               ; preds = %39, %30
  %47 = phi i64 [ %33, %30 ], [ %40, %39 ]
  %48 = icmp slt i64 %47, %36
  br i1 %48, label %49, label %577

49:                                               ; preds = %46
  %50 = getelementptr inbounds i8, ptr %37, i64 %47
  %51 = load i8, ptr %50, align 1
  %52 = icmp eq i8 %51, 123
  br i1 %52, label %53, label %577

53:                                               ; preds = %49
  %54 = shl i64 %25, 2
  br label %55

55:                                               ; preds = %571, %53
  %56 = phi i8 [ 123, %53 ], [ %576, %571 ]
  %57 = phi i64 [ 0, %53 ], [ %574, %571 ]
  %58 = phi i64 [ -1, %53 ], [ %573, %571 ]
  %59 = phi i64 [ %47, %53 ], [ %572, %571 ]
  %60 = getelementptr inbounds i8, ptr %37, i64 %59
  %61 = icmp eq i8 %56, 123
  switch i8 %56, label %125 [
    i8 123, label %62
    i8 91, label %62
  ]

62:                                               ; preds = %55, %55
  %63 = add i64 %58, 1
  %64 = load i64, ptr %15, align 8
  %65 = icmp slt i64 %63, %64
  br i1 %65, label %69, label %66

66:                                               ; preds = %62
  %67 = load ptr, ptr %12, align 8
  %68 = getelementptr inbounds i8, ptr %67, i64 %25
  store i8 2, ptr %68, align 1
  br label %577

69:                                               ; preds = %62
  %70 = load ptr, ptr %16, align 8
  %71 = getelementptr inbounds %struct.level, ptr %70, i64 %63
  %72 = icmp sgt i64 %57, -1
  br i1 %72, label %73, label %80

73:                                               ; preds = %69
  %74 = load ptr, ptr %0, align 8
  %75 = getelementptr inbounds %struct.node, ptr %74, i64 %57
  %76 = getelementptr inbounds i8, ptr %75, i64 32
  %77 = load i64, ptr %76, align 8
  %78 = zext i1 %61 to i64
  %79 = getelementptr inbounds i8, ptr %71, i64 24
  store i64 %78, ptr %79, align 8
  br i1 %61, label %83, label %86

80:                                               ; preds = %69
  %81 = zext i1 %61 to i64
  %82 = getelementptr inbounds i8, ptr %71, i64 24
  store i64 %81, ptr %82, align 8
  br label %88

83:                                               ; preds = %73
  %84 = and i64 %77, -3
  %85 = icmp eq i64 %84, 1
  br i1 %85, label %89, label %88

86:                                               ; preds = %73
  %87 = icmp eq i64 %77, 2
  br i1 %87, label %89, label %88

88:                                               ; preds = %86, %83, %80
  store i64 -1, ptr %71, align 8
  br label %95

89:                                               ; preds = %86, %83
  store i64 %57, ptr %71, align 8
  %90 = load ptr, ptr %0, align 8
  %91 = getelementptr inbounds %struct.node, ptr %90, i64 %57
  %92 = getelementptr inbounds i8, ptr %91, i64 16
  %93 = load i64, ptr %92, align 8
  %94 = add i64 %93, -1
  br label %95

95:                                               ; preds = %89, %88
  %96 = phi i64 [ %94, %89 ], [ -1, %88 ]
  %97 = getelementptr inbounds i8, ptr %71, i64 16
  store i64 %96, ptr %97, align 8
  %98 = load i64, ptr %17, align 8
  %99 = add i64 %98, 1
  store i64 %99, ptr %17, align 8
  %100 = getelementptr inbounds i8, ptr %71, i64 8
  store i64 %99, ptr %100, align 8
  %101 = add i64 %59, 1
  %102 = icmp slt i64 %101, %36
  br i1 %102, label %103, label %110

103:                                              ; preds = %95, %107
  %104 = phi i64 [ %108, %107 ], [ %101, %95 ]
  %105 = getelementptr inbounds i8, ptr %37, i64 %104
  %106 = load i8, ptr %105, align 1
  switch i8 %106, label %110 [
    i8 32, label %107
    i8 13, label %107
    i8 9, label %107
    i8 10, label %107
  ]

107:                                              ; preds = %103, %103, %103, %103
  %108 = add i64 %104, 1
  %109 = icmp eq i64 %108, %36
  br i1 %109, label %577, label %103

110:                                              ; preds = %103, %95
  %111 = phi i64 [ %101, %95 ], [ %104, %103 ]
  %112 = icmp slt i64 %111, %36
  br i1 %112, label %113, label %577

113:                                              ; preds = %110
  %114 = getelementptr inbounds i8, ptr %37, i64 %111
  %115 = load i8, ptr %114, align 1
  %116 = add i8 %56, 2
  %117 = icmp eq i8 %115, %116
  br i1 %117, label %123, label %118

118:                                              ; preds = %113
  br i1 %61, label %322, label %119

119:                                              ; preds = %118
  %120 = load i64, ptr %71, align 8
  %121 = icmp sgt i64 %120, -1
  br i1 %121, label %122, label %571

122:                                              ; preds = %119
  br label %563

123:                                              ; preds = %113
  %124 = add i64 %111, 1
  br label %262

125:                                              ; preds = %55
  switch i8 %56, label %174 [
    i8 34, label %126
    i8 116, label %129
    i8 102, label %144
    i8 110, label %159
  ]

126:                                              ; preds = %125
  %127 = add i64 %59, 1
  %128 = call fastcc i64 @end_of_string(ptr %37, i64 %127, i64 %36, ptr %6)
  br label %259

129:                                              ; preds = %125
  %130 = sub i64 %36, %59
  %131 = icmp slt i64 %130, 4
  br i1 %131, label %258, label %135

132:                                              ; preds = %135
  %133 = add i64 %136, 1
  %134 = icmp eq i64 %133, 4
  br i1 %134, label %142, label %135

135:                                              ; preds = %129, %132
  %136 = phi i64 [ %133, %132 ], [ 0, %129 ]
  %137 = getelementptr i8, ptr %60, i64 %136
  %138 = load i8, ptr %137, align 1
  %139 = getelementptr inbounds i8, ptr @.str, i64 %136
  %140 = load i8, ptr %139, align 1
  %141 = icmp eq i8 %138, %140
  br i1 %141, label %132, label %258

142:                                              ; preds = %132
  %143 = add i64 %59, 4
  br label %259

144:                                              ; preds = %125
  %145 = sub i64 %36, %59
  %146 = icmp slt i64 %145, 5
  br i1 %146, label %258, label %150

147:                                              ; preds = %150
  %148 = add i64 %151, 1
  %149 = icmp eq i64 %148, 5
  br i1 %149, label %157, label %150

150:                                              ; preds = %144, %147
  %151 = phi i64 [ %148, %147 ], [ 0, %144 ]
  %152 = getelementptr i8, ptr %60, i64 %151
  %153 = load i8, ptr %152, align 1
  %154 = getelementptr inbounds i8, ptr @.str.1, i64 %151
  %155 = load i8, ptr %154, align 1
  %156 = icmp eq i8 %153, %155
  br i1 %156, label %147, label %258

157:                                              ; preds = %147
  %158 = add i64 %59, 5
  br label %259

159:                                              ; preds = %125
  %160 = sub i64 %36, %59
  %161 = icmp slt i64 %160, 4
  br i1 %161, label %258, label %165

162:                                              ; preds = %165
  %163 = add i64 %166, 1
  %164 = icmp eq i64 %163, 4
  br i1 %164, label %172, label %165

165:                                              ; preds = %159, %162
  %166 = phi i64 [ %163, %162 ], [ 0, %159 ]
  %167 = getelementptr i8, ptr %60, i64 %166
  %168 = load i8, ptr %167, align 1
  %169 = getelementptr inbounds i8, ptr @.str.2, i64 %166
  %170 = load i8, ptr %169, align 1
  %171 = icmp eq i8 %168, %170
  br i1 %171, label %162, label %258

172:                                              ; preds = %162
  %173 = add i64 %59, 4
  br label %259

174:                                              ; preds = %125
  %175 = icmp eq i8 %56, 45
  %176 = zext i1 %175 to i64
  %177 = add i64 %59, %176
  %178 = icmp slt i64 %177, %36
  br i1 %178, label %179, label %258

179:                                              ; preds = %174
  %180 = getelementptr inbounds i8, ptr %37, i64 %177
  %181 = load i8, ptr %180, align 1
  %182 = icmp eq i8 %181, 48
  br i1 %182, label %183, label %185

183:                                              ; preds = %179
  %184 = add i64 %177, 1
  br label %200

185:                                              ; preds = %179
  %186 = add i8 %181, -58
  %187 = icmp ult i8 %186, -10
  br i1 %187, label %258, label %188

188:                                              ; preds = %185, %194
  %189 = phi i64 [ %195, %194 ], [ %177, %185 ]
  %190 = getelementptr inbounds i8, ptr %37, i64 %189
  %191 = load i8, ptr %190, align 1
  %192 = add i8 %191, -58
  %193 = icmp ult i8 %192, -10
  br i1 %193, label %197, label %194

194:                                              ; preds = %188
  %195 = add i64 %189, 1
  %196 = icmp eq i64 %195, %36
  br i1 %196, label %197, label %188

197:                                              ; preds = %194, %188
  %198 = phi i64 [ %189, %188 ], [ %36, %194 ]
  %199 = icmp slt i64 %198, 0
  br i1 %199, label %258, label %200

200:                                              ; preds = %197, %183
  %201 = phi i64 [ %184, %183 ], [ %198, %197 ]
  %202 = icmp slt i64 %201, %36
  br i1 %202, label %203, label %227

203:                                              ; preds = %200
  %204 = getelementptr inbounds i8, ptr %37, i64 %201
  %205 = load i8, ptr %204, align 1
  %206 = icmp eq i8 %205, 46
  br i1 %206, label %207, label %227

207:                                              ; preds = %203
  %208 = add i64 %201, 1
  %209 = icmp slt i64 %208, %36
  br i1 %209, label %210, label %258

210:                                              ; preds = %207
  %211 = getelementptr inbounds i8, ptr %37, i64 %208
  %212 = load i8, ptr %211, align 1
  %213 = add i8 %212, -58
  %214 = icmp ult i8 %213, -10
  br i1 %214, label %258, label %215

215:                                              ; preds = %210, %221
  %216 = phi i64 [ %222, %221 ], [ %208, %210 ]
  %217 = getelementptr inbounds i8, ptr %37, i64 %216
  %218 = load i8, ptr %217, align 1
  %219 = add i8 %218, -58
  %220 = icmp ult i8 %219, -10
  br i1 %220, label %224, label %221

221:                                              ; preds = %215
  %222 = add i64 %216, 1
  %223 = icmp eq i64 %222, %36
  br i1 %223, label %224, label %215

224:                                              ; preds = %221, %215
  %225 = phi i64 [ %36, %221 ], [ %216, %215 ]
  %226 = icmp slt i64 %225, 0
  br i1 %226, label %258, label %227

227:                                              ; preds = %224, %203, %200
  %228 = phi i64 [ %225, %224 ], [ %201, %203 ], [ %201, %200 ]
  %229 = icmp slt i64 %228, %36
  br i1 %229, label %230, label %259

230:                                              ; preds = %227
  %231 = getelementptr inbounds i8, ptr %37, i64 %228
  %232 = load i8, ptr %231, align 1
  switch i8 %232, label %259 [
    i8 101, label %233
    i8 69, label %233
  ]

233:                                              ; preds = %230, %230
  %234 = add i64 %228, 1
  %235 = icmp slt i64 %234, %36
  br i1 %235, label %236, label %241

236:                                              ; preds = %233
  %237 = getelementptr inbounds i8, ptr %37, i64 %234
  %238 = load i8, ptr %237, align 1
  switch i8 %238, label %241 [
    i8 43, label %239
    i8 45, label %239
  ]

239:                                              ; preds = %236, %236
  %240 = add i64 %228, 2
  br label %241

241:                                              ; preds = %239, %236, %233
  %242 = phi i64 [ %240, %239 ], [ %234, %236 ], [ %234, %233 ]
  %243 = icmp slt i64 %242, %36
  br i1 %243, label %244, label %258

244:                                              ; preds = %241
  %245 = getelementptr inbounds i8, ptr %37, i64 %242
  %246 = load i8, ptr %245, align 1
  %247 = add i8 %246, -58
  %248 = icmp ult i8 %247, -10
  br i1 %248, label %258, label %249

249:                                              ; preds = %244, %255
  %250 = phi i64 [ %256, %255 ], [ %242, %244 ]
  %251 = getelementptr inbounds i8, ptr %37, i64 %250
  %252 = load i8, ptr %251, align 1
  %253 = add i8 %252, -58
  %254 = icmp ult i8 %253, -10
  br i1 %254, label %259, label %255

255:                                              ; preds = %249
  %256 = add i64 %250, 1
  %257 = icmp eq i64 %256, %36
  br i1 %257, label %259, label %249

258:                                              ; preds = %244, %241, %224, %210, %207, %197, %185, %174, %159, %144, %129, %165, %150, %135
  br label %577

259:                                              ; preds = %255, %249, %230, %227, %172, %157, %142, %126
  %260 = phi i64 [ %228, %227 ], [ %128, %126 ], [ %158, %157 ], [ %173, %172 ], [ %228, %230 ], [ %143, %142 ], [ %36, %255 ], [ %250, %249 ]
  %261 = icmp slt i64 %260, 0
  br i1 %261, label %577, label %262

262:                                              ; preds = %259, %123
  %263 = phi i64 [ %124, %123 ], [ %260, %259 ]
  %264 = icmp slt i64 %58, 0
  br i1 %264, label %577, label %265

265:                                              ; preds = %262, %292
  %266 = phi i64 [ %293, %292 ], [ %263, %262 ]
  %267 = phi i64 [ %294, %292 ], [ %58, %262 ]
  %268 = icmp slt i64 %266, %36
  br i1 %268, label %269, label %276

269:                                              ; preds = %265, %273
  %270 = phi i64 [ %274, %273 ], [ %266, %265 ]
  %271 = getelementptr inbounds i8, ptr %37, i64 %270
  %272 = load i8, ptr %271, align 1
  switch i8 %272, label %276 [
    i8 32, label %273
    i8 13, label %273
    i8 9, label %273
    i8 10, label %273
  ]

273:                                              ; preds = %269, %269, %269, %269
  %274 = add i64 %270, 1
  %275 = icmp eq i64 %274, %36
  br i1 %275, label %577, label %269

276:                                              ; preds = %269, %265
  %277 = phi i64 [ %266, %265 ], [ %270, %269 ]
  %278 = icmp slt i64 %277, %36
  br i1 %278, label %279, label %577

279:                                              ; preds = %276
  %280 = getelementptr inbounds i8, ptr %37, i64 %277
  %281 = load i8, ptr %280, align 1
  %282 = icmp eq i8 %281, 44
  br i1 %282, label %296, label %283

283:                                              ; preds = %279
  %284 = zext i8 %281 to i32
  %285 = load ptr, ptr %16, align 8
  %286 = getelementptr inbounds %struct.level, ptr %285, i64 %267
  %287 = getelementptr inbounds i8, ptr %286, i64 24
  %288 = load i64, ptr %287, align 8
  %289 = icmp eq i64 %288, 0
  %290 = select i1 %289, i32 93, i32 125
  %291 = icmp eq i32 %290, %284
  br i1 %291, label %292, label %577

292:                                              ; preds = %283
  %293 = add i64 %277, 1
  %294 = add i64 %267, -1
  %295 = icmp slt i64 %267, 1
  br i1 %295, label %577, label %265

296:                                              ; preds = %279
  %297 = add i64 %277, 1
  %298 = icmp slt i64 %297, %36
  br i1 %298, label %299, label %306

299:                                              ; preds = %296, %303
  %300 = phi i64 [ %304, %303 ], [ %297, %296 ]
  %301 = getelementptr inbounds i8, ptr %37, i64 %300
  %302 = load i8, ptr %301, align 1
  switch i8 %302, label %306 [
    i8 32, label %303
    i8 13, label %303
    i8 9, label %303
    i8 10, label %303
  ]

303:                                              ; preds = %299, %299, %299, %299
  %304 = add i64 %300, 1
  %305 = icmp eq i64 %304, %36
  br i1 %305, label %577, label %299

306:                                              ; preds = %299, %296
  %307 = phi i64 [ %297, %296 ], [ %300, %299 ]
  %308 = icmp slt i64 %307, %36
  br i1 %308, label %309, label %577

309:                                              ; preds = %306
  %310 = load ptr, ptr %16, align 8
  %311 = getelementptr inbounds %struct.level, ptr %310, i64 %267
  %312 = getelementptr inbounds i8, ptr %311, i64 24
  %313 = load i64, ptr %312, align 8
  %314 = icmp eq i64 %313, 0
  br i1 %314, label %318, label %315

315:                                              ; preds = %309
  %316 = getelementptr inbounds i8, ptr %37, i64 %307
  %317 = load i8, ptr %316, align 1
  br label %322

318:                                              ; preds = %309
  %319 = load i64, ptr %311, align 8
  %320 = icmp sgt i64 %319, -1
  br i1 %320, label %321, label %571

321:                                              ; preds = %318
  br label %563

322:                                              ; preds = %315, %118
  %323 = phi i8 [ %317, %315 ], [ %115, %118 ]
  %324 = phi i64 [ %267, %315 ], [ %63, %118 ]
  %325 = phi i64 [ %307, %315 ], [ %111, %118 ]
  %326 = icmp eq i8 %323, 34
  br i1 %326, label %327, label %577

327:                                              ; preds = %322
  %328 = load ptr, ptr %16, align 8
  %329 = getelementptr inbounds %struct.level, ptr %328, i64 %324
  store i32 0, ptr %7, align 4
  %330 = add i64 %325, 1
  %331 = call fastcc i64 @end_of_string(ptr %37, i64 %330, i64 %36, ptr %7)
  %332 = icmp slt i64 %331, 0
  br i1 %332, label %559, label %333

333:                                              ; preds = %327
  %334 = load i64, ptr %329, align 8
  %335 = icmp sgt i64 %334, -1
  br i1 %335, label %336, label %531

336:                                              ; preds = %333
  %337 = load ptr, ptr %0, align 8
  %338 = getelementptr inbounds %struct.node, ptr %337, i64 %334
  %339 = getelementptr inbounds i8, ptr %338, i64 32
  %340 = load i64, ptr %339, align 8
  %341 = icmp eq i64 %340, 3
  br i1 %341, label %342, label %345

342:                                              ; preds = %336
  %343 = getelementptr inbounds i8, ptr %338, i64 16
  %344 = load i64, ptr %343, align 8
  br label %531

345:                                              ; preds = %336
  %346 = add i64 %331, -1
  %347 = load i32, ptr %7, align 4
  %348 = getelementptr inbounds i8, ptr %338, i64 16
  %349 = getelementptr inbounds i8, ptr %338, i64 24
  %350 = load i64, ptr %349, align 8
  %351 = icmp eq i64 %350, 0
  br i1 %351, label %352, label %354

352:                                              ; preds = %345
  %353 = load ptr, ptr %14, align 8
  br label %366

354:                                              ; preds = %345
  %355 = getelementptr inbounds i8, ptr %329, i64 16
  %356 = load i64, ptr %355, align 8
  %357 = add i64 %356, 1
  %358 = load i64, ptr %348, align 8
  %359 = add i64 %358, %350
  %360 = icmp slt i64 %357, %359
  %361 = select i1 %360, i64 %357, i64 %358
  %362 = getelementptr inbounds %struct.node, ptr %337, i64 %361
  %363 = load ptr, ptr %14, align 8
  %364 = call fastcc i32 @is_named(ptr %362, ptr %363, i64 %330, i64 %346, i32 %347)
  %365 = icmp eq i32 %364, 0
  br i1 %365, label %366, label %430

366:                                              ; preds = %354, %352
  %367 = phi ptr [ %353, %352 ], [ %363, %354 ]
  %368 = trunc i64 %334 to i32
  %369 = xor i32 %368, -2128831035
  store i64 %330, ptr %5, align 8
  %370 = icmp slt i64 %330, %346
  br i1 %370, label %371, label %402

371:                                              ; preds = %366
  %372 = icmp eq i32 %347, 0
  br label %376

373:                                              ; preds = %388
  %374 = load i64, ptr %5, align 8
  %375 = icmp slt i64 %374, %346
  br i1 %375, label %376, label %402

376:                                              ; preds = %373, %371
  %377 = phi i64 [ %330, %371 ], [ %374, %373 ]
  %378 = phi i32 [ %369, %371 ], [ %399, %373 ]
  br i1 %372, label %382, label %379

379:                                              ; preds = %376
  %380 = call fastcc i32 @spelled(ptr %367, ptr %5, ptr %4)
  %381 = zext i32 %380 to i64
  br label %386

382:                                              ; preds = %376
  %383 = add i64 %377, 1
  store i64 %383, ptr %5, align 8
  %384 = getelementptr inbounds i8, ptr %367, i64 %377
  %385 = load i8, ptr %384, align 1
  store i8 %385, ptr %4, align 1
  br label %386

386:                                              ; preds = %382, %379
  %387 = phi i64 [ %381, %379 ], [ 1, %382 ]
  br label %388

388:                                              ; preds = %388, %386
  %389 = phi i64 [ 0, %386 ], [ %400, %388 ]
  %390 = phi i32 [ %378, %386 ], [ %399, %388 ]
  %391 = getelementptr inbounds i8, ptr %4, i64 %389
  %392 = load i8, ptr %391, align 1
  %393 = add i8 %392, -65
  %394 = icmp ult i8 %393, 26
  %395 = or i8 %392, 32
  %396 = select i1 %394, i8 %395, i8 %392
  %397 = zext i8 %396 to i32
  %398 = xor i32 %390, %397
  %399 = mul i32 %398, 16777619
  %400 = add i64 %389, 1
  %401 = icmp eq i64 %400, %387
  br i1 %401, label %373, label %388

402:                                              ; preds = %373, %366
  %403 = phi i32 [ %369, %366 ], [ %399, %373 ]
  %404 = zext i32 %403 to i64
  %405 = load i64, ptr %18, align 8
  %406 = and i64 %405, %404
  %407 = load ptr, ptr %19, align 8
  %408 = getelementptr inbounds i64, ptr %407, i64 %406
  %409 = load i64, ptr %408, align 8
  %410 = icmp sgt i64 %409, -1
  br i1 %410, label %411, label %531

411:                                              ; preds = %402
  %412 = load i64, ptr %348, align 8
  %413 = add i64 %412, %350
  br label %414

414:                                              ; preds = %424, %411
  %415 = phi i64 [ %428, %424 ], [ %409, %411 ]
  %416 = phi i64 [ %426, %424 ], [ %406, %411 ]
  %417 = icmp sge i64 %415, %412
  %418 = icmp slt i64 %415, %413
  %419 = select i1 %417, i1 %418, i1 false
  br i1 %419, label %420, label %424

420:                                              ; preds = %414
  %421 = getelementptr inbounds %struct.node, ptr %337, i64 %415
  %422 = call fastcc i32 @is_named(ptr %421, ptr %367, i64 %330, i64 %346, i32 %347)
  %423 = icmp eq i32 %422, 0
  br i1 %423, label %424, label %432

424:                                              ; preds = %420, %414
  %425 = add i64 %416, 1
  %426 = and i64 %425, %405
  %427 = getelementptr inbounds i64, ptr %407, i64 %426
  %428 = load i64, ptr %427, align 8
  %429 = icmp sgt i64 %428, -1
  br i1 %429, label %414, label %531

430:                                              ; preds = %354
  %431 = icmp slt i64 %361, 0
  br i1 %431, label %531, label %432

432:                                              ; preds = %420, %430
  %433 = phi i64 [ %361, %430 ], [ %415, %420 ]
  %434 = phi i32 [ %364, %430 ], [ %422, %420 ]
  %435 = getelementptr inbounds %struct.node, ptr %337, i64 %433
  %436 = getelementptr inbounds i8, ptr %329, i64 16
  store i64 %433, ptr %436, align 8
  %437 = getelementptr inbounds i8, ptr %435, i64 40
  %438 = load i64, ptr %437, align 8
  %439 = getelementptr inbounds i8, ptr %329, i64 8
  %440 = load i64, ptr %439, align 8
  %441 = icmp eq i64 %438, %440
  br i1 %441, label %442, label %466

442:                                              ; preds = %432
  %443 = getelementptr inbounds i8, ptr %435, i64 64
  %444 = load i64, ptr %443, align 8
  %445 = icmp ne i64 %444, 0
  %446 = icmp eq i32 %434, 1
  %447 = and i1 %446, %445
  br i1 %447, label %466, label %448

448:                                              ; preds = %442
  %449 = load ptr, ptr %20, align 8
  %450 = getelementptr inbounds i64, ptr %449, i64 %25
  store i64 %433, ptr %450, align 8
  %451 = getelementptr inbounds i8, ptr %435, i64 48
  %452 = load i64, ptr %451, align 8
  %453 = load ptr, ptr %21, align 8
  %454 = getelementptr inbounds i64, ptr %453, i64 %54
  store i64 %452, ptr %454, align 8
  %455 = getelementptr inbounds i8, ptr %435, i64 56
  %456 = load i64, ptr %455, align 8
  %457 = load ptr, ptr %21, align 8
  %458 = getelementptr i64, ptr %457, i64 %54
  %459 = getelementptr i8, ptr %458, i64 8
  store i64 %456, ptr %459, align 8
  %460 = load ptr, ptr %21, align 8
  %461 = getelementptr i64, ptr %460, i64 %54
  %462 = getelementptr i8, ptr %461, i64 16
  store i64 %330, ptr %462, align 8
  %463 = load ptr, ptr %21, align 8
  %464 = getelementptr i64, ptr %463, i64 %54
  %465 = getelementptr i8, ptr %464, i64 24
  store i64 %346, ptr %465, align 8
  br label %559

466:                                              ; preds = %442, %432
  store i64 %440, ptr %437, align 8
  %467 = getelementptr inbounds i8, ptr %435, i64 48
  store i64 %330, ptr %467, align 8
  %468 = getelementptr inbounds i8, ptr %435, i64 56
  store i64 %346, ptr %468, align 8
  %469 = icmp eq i32 %434, 1
  %470 = zext i1 %469 to i64
  %471 = getelementptr inbounds i8, ptr %435, i64 64
  store i64 %470, ptr %471, align 8
  %472 = icmp eq i32 %434, 2
  br i1 %472, label %473, label %531

473:                                              ; preds = %466
  store i64 %330, ptr %3, align 8
  %474 = icmp slt i64 %330, %346
  br i1 %474, label %476, label %475

475:                                              ; preds = %473
  br label %531

476:                                              ; preds = %473
  %477 = icmp eq i32 %347, 0
  br label %478

478:                                              ; preds = %525, %476
  %479 = phi i64 [ %330, %476 ], [ %526, %525 ]
  %480 = phi i64 [ 0, %476 ], [ %528, %525 ]
  %481 = load ptr, ptr %14, align 8
  br i1 %477, label %482, label %486

482:                                              ; preds = %478
  %483 = add i64 %479, 1
  store i64 %483, ptr %3, align 8
  %484 = getelementptr inbounds i8, ptr %481, i64 %479
  %485 = load i8, ptr %484, align 1
  store i8 %485, ptr %2, align 1
  br label %495

486:                                              ; preds = %478
  %487 = call fastcc i32 @spelled(ptr %481, ptr %3, ptr %2)
  %488 = icmp eq i32 %487, 1
  br i1 %488, label %492, label %489

489:                                              ; preds = %486
  %490 = load i64, ptr %3, align 8
  %491 = zext i32 %487 to i64
  br label %525

492:                                              ; preds = %486
  %493 = load i8, ptr %2, align 1
  %494 = load i64, ptr %3, align 8
  br label %495

495:                                              ; preds = %492, %482
  %496 = phi i64 [ %494, %492 ], [ %483, %482 ]
  %497 = phi i8 [ %493, %492 ], [ %485, %482 ]
  %498 = load ptr, ptr %435, align 8
  %499 = getelementptr inbounds i8, ptr %498, i64 %480
  %500 = load i8, ptr %499, align 1
  %501 = icmp eq i8 %497, %500
  br i1 %501, label %525, label %502

502:                                              ; preds = %495
  %503 = load i64, ptr %22, align 8
  %504 = add i64 %503, 1
  store i64 %504, ptr %22, align 8
  %505 = sub i64 %496, %479
  %506 = icmp eq i64 %505, 1
  br i1 %506, label %507, label %509

507:                                              ; preds = %502
  %508 = getelementptr inbounds i8, ptr %481, i64 %479
  store i8 %500, ptr %508, align 1
  br label %525

509:                                              ; preds = %502
  %510 = lshr i8 %500, 4
  %511 = icmp ult i8 %500, -96
  %512 = or i8 %510, 48
  %513 = add i8 %510, 87
  %514 = select i1 %511, i8 %512, i8 %513
  %515 = getelementptr i8, ptr %481, i64 %479
  %516 = getelementptr i8, ptr %515, i64 4
  store i8 %514, ptr %516, align 1
  %517 = and i8 %500, 15
  %518 = icmp ult i8 %517, 10
  %519 = or i8 %517, 48
  %520 = add i8 %517, 87
  %521 = select i1 %518, i8 %519, i8 %520
  %522 = load ptr, ptr %14, align 8
  %523 = getelementptr i8, ptr %522, i64 %479
  %524 = getelementptr i8, ptr %523, i64 5
  store i8 %521, ptr %524, align 1
  br label %525

525:                                              ; preds = %509, %507, %495, %489
  %526 = phi i64 [ %496, %507 ], [ %496, %509 ], [ %496, %495 ], [ %490, %489 ]
  %527 = phi i64 [ 1, %507 ], [ 1, %509 ], [ 1, %495 ], [ %491, %489 ]
  %528 = add i64 %527, %480
  %529 = icmp slt i64 %526, %346
  br i1 %529, label %478, label %530

530:                                              ; preds = %525
  br label %531

531:                                              ; preds = %424, %530, %475, %466, %430, %402, %342, %333
  %532 = phi i64 [ %344, %342 ], [ %433, %530 ], [ -1, %333 ], [ %433, %475 ], [ -1, %430 ], [ -1, %402 ], [ %433, %466 ], [ -1, %424 ]
  %533 = icmp slt i64 %331, %36
  br i1 %533, label %534, label %541

534:                                              ; preds = %531, %538
  %535 = phi i64 [ %539, %538 ], [ %331, %531 ]
  %536 = getelementptr inbounds i8, ptr %37, i64 %535
  %537 = load i8, ptr %536, align 1
  switch i8 %537, label %541 [
    i8 32, label %538
    i8 13, label %538
    i8 9, label %538
    i8 10, label %538
  ]

538:                                              ; preds = %534, %534, %534, %534
  %539 = add i64 %535, 1
  %540 = icmp eq i64 %539, %36
  br i1 %540, label %559, label %534

541:                                              ; preds = %534, %531
  %542 = phi i64 [ %331, %531 ], [ %535, %534 ]
  %543 = icmp slt i64 %542, %36
  br i1 %543, label %544, label %559

544:                                              ; preds = %541
  %545 = getelementptr inbounds i8, ptr %37, i64 %542
  %546 = load i8, ptr %545, align 1
  %547 = icmp eq i8 %546, 58
  br i1 %547, label %548, label %559

548:                                              ; preds = %544
  %549 = add i64 %542, 1
  %550 = icmp slt i64 %549, %36
  br i1 %550, label %551, label %560

551:                                              ; preds = %548, %555
  %552 = phi i64 [ %556, %555 ], [ %549, %548 ]
  %553 = getelementptr inbounds i8, ptr %37, i64 %552
  %554 = load i8, ptr %553, align 1
  switch i8 %554, label %560 [
    i8 32, label %555
    i8 13, label %555
    i8 9, label %555
    i8 10, label %555
  ]

555:                                              ; preds = %551, %551, %551, %551
  %556 = add i64 %552, 1
  %557 = icmp eq i64 %556, %36
  br i1 %557, label %558, label %551

558:                                              ; preds = %555
  br label %577

559:                                              ; preds = %544, %541, %327, %538, %448
  br label %577

560:                                              ; preds = %551, %548
  %561 = phi i64 [ %549, %548 ], [ %552, %551 ]
  %562 = icmp slt i64 %561, %36
  br i1 %562, label %571, label %577

563:                                              ; preds = %321, %122
  %564 = phi i64 [ %120, %122 ], [ %319, %321 ]
  %565 = phi i64 [ %111, %122 ], [ %307, %321 ]
  %566 = phi i64 [ %63, %122 ], [ %267, %321 ]
  %567 = load ptr, ptr %0, align 8
  %568 = getelementptr inbounds %struct.node, ptr %567, i64 %564
  %569 = getelementptr inbounds i8, ptr %568, i64 16
  %570 = load i64, ptr %569, align 8
  br label %571

571:                                              ; preds = %563, %560, %318, %119
  %572 = phi i64 [ %307, %318 ], [ %561, %560 ], [ %111, %119 ], [ %565, %563 ]
  %573 = phi i64 [ %267, %318 ], [ %324, %560 ], [ %63, %119 ], [ %566, %563 ]
  %574 = phi i64 [ -1, %318 ], [ %532, %560 ], [ -1, %119 ], [ %570, %563 ]
  %575 = getelementptr inbounds i8, ptr %37, i64 %572
  %576 = load i8, ptr %575, align 1
  br label %55

577:                                              ; preds = %43, %560, %322, %306, %262, %259, %110, %107, %292, %283, %276, %303, %273, %559, %558, %258, %66, %49, %46, %24
  %578 = add i64 %25, 1
  %579 = load i64, ptr %8, align 8
  %580 = icmp slt i64 %578, %579
  br i1 %580, label %24, label %23
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %78

6:                                                ; preds = %4, %74
  %7 = phi i64 [ %75, %74 ], [ %1, %4 ]
  %8 = sub i64 %2, %7
  %9 = icmp sgt i64 %8, 15
  br i1 %9, label %13, label %10

10:                                               ; preds = %24, %6
  %11 = phi i64 [ %7, %6 ], [ %25, %24 ]
  %12 = icmp slt i64 %11, %2
  br i1 %12, label %32, label %41

13:                                               ; preds = %6, %24
  %14 = phi i64 [ %25, %24 ], [ %7, %6 ]
  %15 = getelementptr inbounds i8, ptr %0, i64 %14
  %16 = load <16 x i8>, ptr %15, align 1
  %17 = icmp eq <16 x i8> %16, splat (i8 34)
  %18 = icmp eq <16 x i8> %16, splat (i8 92)
  %19 = or <16 x i1> %17, %18
  %20 = icmp ult <16 x i8> %16, splat (i8 32)
  %21 = or <16 x i1> %20, %19
  %22 = bitcast <16 x i1> %21 to i16
  %23 = icmp eq i16 %22, 0
  br i1 %23, label %24, label %28

24:                                               ; preds = %13
  %25 = add i64 %14, 16
  %26 = sub i64 %2, %25
  %27 = icmp sgt i64 %26, 15
  br i1 %27, label %13, label %10

28:                                               ; preds = %13
  %29 = call i16 @llvm.cttz.i16(i16 %22, i1 true)
  %30 = zext i16 %29 to i64
  %31 = add i64 %14, %30
  br label %41

32:                                               ; preds = %10, %38
  %33 = phi i64 [ %39, %38 ], [ %11, %10 ]
  %34 = getelementptr inbounds i8, ptr %0, i64 %33
  %35 = load i8, ptr %34, align 1
  switch i8 %35, label %36 [
    i8 34, label %41
    i8 92, label %41
  ]

36:                                               ; preds = %32
  %37 = icmp ugt i8 %35, 31
  br i1 %37, label %38, label %41

38:                                               ; preds = %36
  %39 = add i64 %33, 1
  %40 = icmp eq i64 %39, %2
  br i1 %40, label %78, label %32

41:                                               ; preds = %36, %32, %32, %10, %28
  %42 = phi i64 [ %31, %28 ], [ %11, %10 ], [ %33, %32 ], [ %33, %32 ], [ %33, %36 ]
  %43 = icmp slt i64 %42, %2
  br i1 %43, label %44, label %78

44:                                               ; preds = %41
  %45 = add i64 %42, 1
  %46 = getelementptr inbounds i8, ptr %0, i64 %42
  %47 = load i8, ptr %46, align 1
  switch i8 %47, label %78 [
    i8 34, label %77
    i8 92, label %48
  ]

48:                                               ; preds = %44
  store i32 1, ptr %3, align 4
  %49 = icmp slt i64 %45, %2
  br i1 %49, label %50, label %78

50:                                               ; preds = %48
  %51 = add i64 %42, 2
  %52 = getelementptr inbounds i8, ptr %0, i64 %45
  %53 = load i8, ptr %52, align 1
  switch i8 %53, label %78 [
    i8 34, label %74
    i8 92, label %74
    i8 47, label %74
    i8 98, label %74
    i8 102, label %74
    i8 110, label %74
    i8 114, label %74
    i8 116, label %74
    i8 117, label %54
  ]

54:                                               ; preds = %50
  %55 = sub i64 %2, %51
  %56 = icmp slt i64 %55, 4
  br i1 %56, label %78, label %57

57:                                               ; preds = %54
  %58 = getelementptr i8, ptr %0, i64 %51
  br label %62

59:                                               ; preds = %62
  %60 = add i64 %63, 1
  %61 = icmp eq i64 %60, 4
  br i1 %61, label %72, label %62

62:                                               ; preds = %57, %59
  %63 = phi i64 [ 0, %57 ], [ %60, %59 ]
  %64 = getelementptr i8, ptr %58, i64 %63
  %65 = load i8, ptr %64, align 1
  %66 = add i8 %65, -58
  %67 = icmp ult i8 %66, -10
  %68 = and i8 %65, -33
  %69 = add i8 %68, -71
  %70 = icmp ult i8 %69, -6
  %71 = and i1 %67, %70
  br i1 %71, label %78, label %59

72:                                               ; preds = %59
  %73 = add i64 %42, 6
  br label %74

74:                                               ; preds = %50, %50, %50, %50, %50, %50, %50, %50, %72
  %75 = phi i64 [ %73, %72 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ]
  %76 = icmp slt i64 %75, %2
  br i1 %76, label %6, label %78

77:                                               ; preds = %44
  br label %78

78:                                               ; preds = %38, %62, %74, %41, %54, %50, %48, %44, %77, %4
  %79 = phi i64 [ -1, %62 ], [ %45, %77 ], [ -1, %4 ], [ -1, %74 ], [ -1, %44 ], [ -1, %48 ], [ -1, %50 ], [ -1, %54 ], [ -1, %41 ], [ -1, %38 ]
  ret i64 %79
}

define internal fastcc i32 @is_named(ptr %0, ptr %1, i64 %2, i64 %3, i32 %4) {
  %6 = alloca [4 x i8], align 1
  %7 = alloca i64, align 8
  %8 = icmp eq i32 %4, 0
  br i1 %8, label %9, label %14

9:                                                ; preds = %5
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = sub i64 %3, %2
  %13 = icmp eq i64 %11, %12
  br i1 %13, label %14, label %78

14:                                               ; preds = %9, %5
  store i64 %2, ptr %7, align 8
  %15 = icmp slt i64 %2, %3
  %16 = getelementptr inbounds i8, ptr %0, i64 8
  br i1 %15, label %28, label %17

17:                                               ; preds = %14
  %18 = load i64, ptr %16, align 8
  br label %22

19:                                               ; preds = %70
  %20 = load i64, ptr %7, align 8
  %21 = icmp slt i64 %20, %3
  br i1 %21, label %28, label %22

22:                                               ; preds = %19, %17
  %23 = phi i64 [ %18, %17 ], [ %41, %19 ]
  %24 = phi i64 [ 0, %17 ], [ %49, %19 ]
  %25 = phi i32 [ 1, %17 ], [ %71, %19 ]
  %26 = icmp eq i64 %24, %23
  %27 = select i1 %26, i32 %25, i32 0
  br label %76

28:                                               ; preds = %14, %19
  %29 = phi i64 [ %20, %19 ], [ %2, %14 ]
  %30 = phi i32 [ %71, %19 ], [ 1, %14 ]
  %31 = phi i64 [ %49, %19 ], [ 0, %14 ]
  br i1 %8, label %34, label %32

32:                                               ; preds = %28
  %33 = call fastcc i32 @spelled(ptr %1, ptr %7, ptr %6)
  br label %38

34:                                               ; preds = %28
  %35 = add i64 %29, 1
  store i64 %35, ptr %7, align 8
  %36 = getelementptr inbounds i8, ptr %1, i64 %29
  %37 = load i8, ptr %36, align 1
  store i8 %37, ptr %6, align 1
  br label %38

38:                                               ; preds = %34, %32
  %39 = phi i32 [ %33, %32 ], [ 1, %34 ]
  %40 = zext i32 %39 to i64
  %41 = load i64, ptr %16, align 8
  %42 = sub i64 %41, %31
  %43 = icmp slt i64 %42, %40
  br i1 %43, label %50, label %44

44:                                               ; preds = %38
  %45 = load ptr, ptr %0, align 8
  %46 = add i64 %31, 1
  %47 = add i32 %39, -1
  %48 = zext i32 %47 to i64
  %49 = add i64 %46, %48
  br label %51

50:                                               ; preds = %38
  br label %76

51:                                               ; preds = %44, %70
  %52 = phi i64 [ 0, %44 ], [ %72, %70 ]
  %53 = phi i32 [ %30, %44 ], [ %71, %70 ]
  %54 = phi i64 [ %31, %44 ], [ %73, %70 ]
  %55 = getelementptr inbounds i8, ptr %45, i64 %54
  %56 = load i8, ptr %55, align 1
  %57 = getelementptr inbounds i8, ptr %6, i64 %52
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %56, %58
  br i1 %59, label %70, label %60

60:                                               ; preds = %51
  %61 = add i8 %56, -65
  %62 = icmp ult i8 %61, 26
  %63 = or i8 %56, 32
  %64 = select i1 %62, i8 %63, i8 %56
  %65 = add i8 %58, -65
  %66 = icmp ult i8 %65, 26
  %67 = or i8 %58, 32
  %68 = select i1 %66, i8 %67, i8 %58
  %69 = icmp eq i8 %64, %68
  br i1 %69, label %70, label %75

70:                                               ; preds = %60, %51
  %71 = phi i32 [ %53, %51 ], [ 2, %60 ]
  %72 = add i64 %52, 1
  %73 = add i64 %54, 1
  %74 = icmp eq i64 %72, %40
  br i1 %74, label %19, label %51

75:                                               ; preds = %60
  br label %76

76:                                               ; preds = %75, %50, %22
  %77 = phi i32 [ %27, %22 ], [ 0, %75 ], [ 0, %50 ]
  br label %78

78:                                               ; preds = %9, %76
  %79 = phi i32 [ %77, %76 ], [ 0, %9 ]
  ret i32 %79
}

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}

declare i16 @llvm.cttz.i16(i16, i1 immarg)
